import { z } from 'zod'
import { type OAuthAnswer, type OAuthClient, postForm } from './oauth-client.ts'
import { Problem } from './problem.ts'

/** RFC 8628 §3.2: the interval of an authorization server that names none; what `slow_down` adds (§3.5). In seconds. */
const DEFAULT_INTERVAL = 5
const SLOW_DOWN = 5
/** The longest that polling backs off to while nothing answers, in seconds. */
const MAX_BACK_OFF = 60

const startedSchema = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.url(),
  verification_uri_complete: z.url().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(DEFAULT_INTERVAL),
})

const tokensSchema = z.object({
  token_type: z.string().regex(/^bearer$/i),
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
})

/** What the User is shown, and what the personal agent polls with. */
export type DeviceFlow = {
  deviceCode: string
  userCode: string
  /** To the Brand's own login. The personal agent only shows it (§5.3). */
  link: string
  /** In seconds. */
  expiresIn: number
  /** Between two polls, in seconds. */
  interval: number
}

export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  /** What the User approved: it may be less than was asked for (§5.3). */
  scopes: string[]
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Waits; in seconds. */
export type Pause = (seconds: number) => Promise<void>

/** Why the User's answer brought no token, in words. */
export type NoTokens = { granted: false; words: string }

/** Asks for scopes (RFC 8628 §3.1, §3.2). @throws Problem */
export async function startDeviceFlow(
  client: OAuthClient,
  url: string,
  scopes: readonly string[],
): Promise<DeviceFlow> {
  const answer = await postForm(client, url, { scope: scopes.join(' ') }, startedSchema)
  if (!answer.ok) throw refusedBy('The Provider did not begin', answer)
  const started = answer.value
  return {
    deviceCode: started.device_code,
    userCode: started.user_code,
    link: started.verification_uri_complete ?? started.verification_uri,
    expiresIn: started.expires_in,
    interval: started.interval,
  }
}

/**
 * Polls until the User has decided or the code has expired (RFC 8628 §3.4, §3.5): `slow_down` adds 5 s for good, and while
 * nothing answers the interval doubles.
 *
 * @param tokenUrl the token endpoint
 * @throws Problem when the Provider refuses the poll itself
 */
export async function waitForTokens(
  client: OAuthClient,
  tokenUrl: string,
  flow: DeviceFlow,
  pause: Pause,
): Promise<{ granted: true; tokens: Tokens } | NoTokens> {
  const end = Date.now() + flow.expiresIn * 1000
  let { interval } = flow
  let backOff = interval
  while (Date.now() < end) {
    await pause(backOff)
    const answer = await poll(client, tokenUrl, flow)
    if (answer === undefined) {
      backOff = Math.min(backOff * 2, MAX_BACK_OFF)
      continue
    }
    if (answer.ok) return { granted: true, tokens: answer.value }
    if (answer.error === 'access_denied') return { granted: false, words: 'You have not allowed it.' }
    if (answer.error === 'expired_token') break
    if (answer.error === 'slow_down') interval += SLOW_DOWN
    else if (answer.error !== 'authorization_pending') throw refusedBy('The Provider refused', answer)
    backOff = interval
  }
  return { granted: false, words: 'The code has expired before you decided. Ask again for a new one.' }
}

/** @returns undefined when nothing answers at the moment */
async function poll(client: OAuthClient, tokenUrl: string, { deviceCode }: DeviceFlow) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  try {
    return await requestTokens(client, tokenUrl, { grant_type, device_code: deviceCode })
  } catch (problem) {
    if (problem instanceof Problem && problem.cause !== undefined) return undefined
    throw problem
  }
}

/** New tokens for a refresh token (RFC 6749 §6). @throws Problem when nothing answers */
export function refreshTokens(
  client: OAuthClient,
  tokenUrl: string,
  refreshToken: string,
): Promise<OAuthAnswer<Tokens>> {
  return requestTokens(client, tokenUrl, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

async function requestTokens(
  client: OAuthClient,
  tokenUrl: string,
  fields: Record<string, string>,
): Promise<OAuthAnswer<Tokens>> {
  const answer = await postForm(client, tokenUrl, fields, tokensSchema)
  if (!answer.ok) return answer
  const { access_token, refresh_token, expires_in = 0, scope = '' } = answer.value
  const value = {
    accessToken: access_token,
    refreshToken: refresh_token,
    scopes: scope.split(' ').filter((id) => id !== ''),
    expiresAt: Date.now() + expires_in * 1000,
  }
  return { ok: true, value }
}

function refusedBy(what: string, { error, description }: { error: string; description: string | undefined }) {
  const detail = description === undefined ? error : `${error}: ${description}`
  return new Problem(`${what} (${detail}).`, 'Say it again to ask once more.')
}
