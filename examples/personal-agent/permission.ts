import { z } from 'zod'
import type { DelegationOffer } from './delegation-offer.ts'
import { type Pause, refreshTokens, startDeviceFlow, type Tokens, waitForTokens } from './device-flow.ts'
import { type OAuthClient, postForm } from './oauth-client.ts'
import { Problem } from './problem.ts'
import type { Terminal } from './terminal.ts'

/** A token this close to its end is refreshed first, in milliseconds. */
const MARGIN = 30_000

/** What the User has allowed at one Brand. The tokens are kept in memory, and gone when the program ends. */
export type Permission = {
  /** A delegation token that is good for some time yet; undefined when there is none. */
  token(): Promise<string | undefined>
  /** Gets another token after the Provider refused the one there is, or forgets it. */
  replaceToken(): Promise<void>
  /** Asks the User for scopes, on the Brand's own pages, and waits. @returns whether there is something allowed */
  ask(scopes: readonly string[]): Promise<boolean>
  /** The scopes that the User allowed; undefined when there is no token. */
  held(): readonly string[] | undefined
  /** Shows what the token holds. */
  show(): void
  /** Gives the permission back (RFC 7009). */
  withdraw(): Promise<void>
}

export type PermissionParts = {
  client: OAuthClient
  offer: DelegationOffer
  terminal: Terminal
  pause: Pause
  /** Plays the User on the Brand's pages; undefined: a person opens the link. */
  playUser: ((link: string) => Promise<string>) | undefined
}

/** Delegated authority (§5) at one Brand, as one User. */
export function openPermission(parts: PermissionParts): Permission {
  const { client, offer, terminal } = parts
  let tokens: Tokens | undefined

  async function refresh(): Promise<void> {
    const refreshToken = tokens?.refreshToken
    tokens = undefined
    if (refreshToken === undefined) return
    const answer = await refreshTokens(client, offer.tokenUrl, refreshToken)
    if (answer.ok) {
      tokens = answer.value
      terminal.notice('The delegation token was renewed with the refresh token.')
    } else terminal.notice('Your permission no longer counts: it was withdrawn, or its time is over.')
  }

  return {
    held: () => tokens?.scopes,
    async token() {
      if (tokens && tokens.expiresAt - MARGIN < Date.now()) await refresh()
      return tokens?.accessToken
    },
    replaceToken: refresh,
    async ask(scopes) {
      const result = await askUser(parts, scopes)
      if (!result.granted) {
        terminal.notice(result.words)
        return false
      }
      tokens = result.tokens
      terminal.notice(`You have allowed: ${tokens.scopes.join(', ')}.`)
      return true
    },
    show() {
      if (!tokens) return terminal.notice('You have not allowed this Brand’s agent anything.')
      terminal.title('You have allowed')
      for (const id of tokens.scopes) terminal.choice('·', id, offer.scopes.get(id) ?? '')
      terminal.detail(
        'token',
        `good until ${new Date(tokens.expiresAt).toLocaleTimeString()}, then refreshed`,
      )
    },
    async withdraw() {
      if (!tokens) return terminal.notice('There is nothing to withdraw.')
      await revoke(parts, tokens)
      tokens = undefined
      terminal.notice('Your permission is withdrawn. The Brand’s agent can’t act in your account any more.')
    },
  }
}

async function askUser(
  { client, offer, terminal, pause, playUser }: PermissionParts,
  wanted: readonly string[],
) {
  const scopes = wanted.filter((id) => offer.scopes.has(id))
  // §5.2: only ids on the card may be requested.
  if (scopes.length < wanted.length || scopes.length === 0)
    throw new Problem('The Brand asks for a permission that its card does not name.', 'Read the card again.')
  const flow = await startDeviceFlow(client, offer.deviceAuthorizationUrl, scopes)
  terminal.title('Your permission is needed, for:')
  for (const id of scopes) terminal.choice('·', id, offer.scopes.get(id) ?? '')
  terminal.detail('open', flow.link)
  terminal.detail('code', `${flow.userCode}   (the page must show the same)`)
  if (playUser) terminal.notice(await playUser(flow.link))
  else terminal.hint(`Waiting for your decision, ${Math.round(flow.expiresIn / 60)} minutes at most …`)
  return waitForTokens(client, offer.tokenUrl, flow, pause)
}

async function revoke({ client, offer }: PermissionParts, tokens: Tokens): Promise<void> {
  if (offer.revocationUrl === undefined)
    throw new Problem('The Provider takes nothing back here.', 'Withdraw it on the Provider’s own page.')
  const token = tokens.refreshToken ?? tokens.accessToken
  const answer = await postForm(client, offer.revocationUrl, { token }, z.unknown())
  if (!answer.ok) throw new Problem(`The Provider refused (${answer.error}).`, 'Try again in a moment.')
}
