import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { decideAtBrand, type LoginTask } from './brand-login.ts'
import { findOfferedDelegation, type OfferedDelegation } from './delegation-card.ts'
import type { Outgoing, Provider } from './provider.ts'
import type { NotTested } from './requirement.ts'
import { newSubject, type TokenSigner } from './tokens.ts'
import { type Answer, at, send } from './wire.ts'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** How often an approved code is polled before it counts as never redeemed. */
const POLLS = 6

/** Who calls the authorization server: a personal agent for one of its Users. */
export type Client = { signer: TokenSigner; issuer: string; subject: string }

/** What the User is asked for, and how they decide. */
export type Consent = {
  asked: readonly string[]
  /** Left checked; default: all that is asked for. */
  approved?: readonly string[]
  user?: LoginTask['user']
  client?: Client
}

/** A token response, and for whom it was made. */
export type Granted = {
  client: Client
  deviceCode: string
  answer: Answer
  accessToken: string
  refreshToken: string | undefined
  scopes: string[]
}

/** A Brand's authorization server (§5), as the personal agent under test sees it. */
export class Delegation {
  readonly provider: Provider
  readonly offered: OfferedDelegation
  /** RFC 8414, as the card links it. */
  readonly metadata: Answer
  readonly #notTested: NotTested

  private constructor(
    provider: Provider,
    offered: OfferedDelegation,
    metadata: Answer,
    notTested: NotTested,
  ) {
    this.provider = provider
    this.offered = offered
    this.metadata = metadata
    this.#notTested = notTested
  }

  /** Ends the test where the first Brand's card does not offer delegation. */
  static async find(provider: Provider, notTested: NotTested): Promise<Delegation> {
    const offered = findOfferedDelegation(provider.card)
    if (!offered) return notTested('the card offers no delegated authority')
    return new Delegation(provider, offered, await send({ url: offered.metadataUrl }), notTested)
  }

  /** A member of the metadata, as text; ends the test where it has none. */
  endpoint(name: 'issuer' | 'jwks_uri' | 'revocation_endpoint'): string {
    const value = at(this.metadata.json, name)
    return typeof value === 'string' ? value : this.#notTested(`the metadata has no ${name}`)
  }

  /** The personal agent under test, for a User of its own. */
  client(subject = newSubject()): Client {
    const { signer, target } = this.provider
    return { signer, issuer: target.personalAgent.issuer, subject }
  }

  /** Another registered personal agent; ends the test where there is none. */
  otherClient(subject = newSubject()): Client {
    const agent = this.provider.target.otherPersonalAgent
    if (!agent) return this.#notTested('needs PA2_ISSUER and PA2_PRIVATE_JWK')
    return { signer: this.provider.signerFor(agent), issuer: agent.issuer, subject }
  }

  /** A text for which the Brand's agent needs a scope; ends the test where none is known. */
  delegatedText(): string {
    return this.provider.target.delegatedText ?? this.#notTested('needs DELEGATED_TEXT')
  }

  /** Posts a form, authenticated as `client`; fields that are undefined are left out, others replace the usual ones. */
  async post(url: string, client: Client, fields: Record<string, string | undefined>): Promise<Answer> {
    const token = await client.signer.sign({ claims: { sub: client.subject } })
    return this.postWith(url, token, { client_id: client.issuer, ...fields })
  }

  /** Posts a form with any Bearer token, or none. */
  postWith(
    url: string,
    token: string | undefined,
    fields: Record<string, string | undefined>,
  ): Promise<Answer> {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return send({ method: 'POST', url, token, headers, body: form.toString() })
  }

  /** §5.3: `POST {deviceAuthorizationUrl}`. */
  authorize(client: Client, scopes: readonly string[]): Promise<Answer> {
    return this.post(this.offered.deviceAuthorizationUrl, client, { scope: scopes.join(' ') })
  }

  /** §5.3: one poll. */
  poll(client: Client, deviceCode: unknown): Promise<Answer> {
    const fields = { grant_type: DEVICE_CODE, device_code: String(deviceCode) }
    return this.post(this.offered.tokenUrl, client, fields)
  }

  refresh(client: Client, refreshToken: string): Promise<Answer> {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
    return this.post(this.offered.tokenUrl, client, fields)
  }

  /** Has the User sign in and decide; ends the test where nobody can. */
  async decide(started: Answer, task: Omit<LoginTask, 'verification_uri_complete'>): Promise<void> {
    const { brandLogin } = this.provider.target
    if (brandLogin === undefined) return this.#notTested('needs BRAND_LOGIN')
    const link = at(started.json, 'verification_uri_complete')
    expect(link, 'verification_uri_complete').toBeTypeOf('string')
    await decideAtBrand(brandLogin, { verification_uri_complete: String(link), ...task }, this.#notTested)
  }

  /** Polls a decided code until there is another answer than to come again. */
  async redeem(client: Client, started: Answer): Promise<Answer> {
    const interval = Number(at(started.json, 'interval') ?? 5)
    const deviceCode = at(started.json, 'device_code')
    for (let polled = 1; ; polled += 1) {
      const answer = await this.poll(client, deviceCode)
      const error = at(answer.json, 'error')
      const isEarly = error === 'authorization_pending' || error === 'slow_down'
      if (!isEarly || polled === POLLS) return answer
      await sleep((interval + (error === 'slow_down' ? 5 : 0)) * 1000)
    }
  }

  /** The whole way of §5.3: asks, has the User decide, collects. */
  async obtain({
    asked,
    approved = asked,
    user = 'first',
    client = this.client(),
  }: Consent): Promise<Granted> {
    const started = await this.authorize(client, asked)
    await this.decide(started, { decision: 'approve', scopes: approved, user })
    const answer = await this.redeem(client, started)
    expect(answer.status, `a token response; got ${answer.text.slice(0, 300)}`).toBe(200)
    const refreshToken = at(answer.json, 'refresh_token')
    return {
      client,
      answer,
      deviceCode: String(at(started.json, 'device_code')),
      accessToken: String(at(answer.json, 'access_token')),
      refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
      scopes: String(at(answer.json, 'scope') ?? '').split(' '),
    }
  }

  /** `message:send` with both tokens (§5.5). */
  async message(granted: Pick<Granted, 'client' | 'accessToken'>, outgoing: Outgoing = {}): Promise<Answer> {
    return this.provider.message(await this.#delegated(granted, outgoing))
  }

  /** `message:stream` with both tokens. */
  async stream(granted: Pick<Granted, 'client' | 'accessToken'>, outgoing: Outgoing = {}): Promise<Answer> {
    return this.provider.stream(await this.#delegated(granted, outgoing))
  }

  async #delegated(
    { client, accessToken }: Pick<Granted, 'client' | 'accessToken'>,
    outgoing: Outgoing,
  ): Promise<Outgoing> {
    const token = await client.signer.sign({ claims: { sub: client.subject } })
    return { token, delegationToken: accessToken, ...outgoing }
  }
}
