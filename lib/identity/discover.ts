import { LRUCache } from 'lru-cache'
import { now } from '#lib/platform/clock.ts'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import { fetchJson } from '#lib/platform/outbound/fetch-document.ts'
import type { OutboundFault } from '#lib/platform/outbound/guarded-request.ts'
import { processState } from '#lib/platform/process-state.ts'
import { findUrlFault } from '#lib/platform/urls.ts'

/** What an issuer's OpenID configuration says. Nobody vouches for it until a token has verified. */
export type Discovered = { issuer: string; jwksUri: string; name: string }

export type Discovery = Discovered | { fault: 'discovery_failed' | 'discovery_busy' }

export const discoveryLimits = {
  /** Milliseconds for one look-up. */
  timeout: 3_000,
  bytes: 64 * 1024,
  /** Milliseconds for which an answer, good or bad, is remembered. */
  rememberedFor: 60_000,
  issuers: 5_000,
  atOnce: 10,
  /** Look-ups at once that go to one host: a slow one can't take every place. */
  atOncePerHost: 2,
} as const

type Answer = { at: number; discovery: Discovery }

function state() {
  return processState('discovery', () => ({
    answers: new LRUCache<string, Answer>({ max: discoveryLimits.issuers }),
    running: new Map<string, Promise<Discovery>>(),
    runningPerHost: new Map<string, number>(),
  }))
}

const failed = { fault: 'discovery_failed' } as const
const busy = { fault: 'discovery_busy' } as const

/** Where an issuer's configuration is. OpenID Connect Discovery §4: a slash at the issuer's end is not doubled. */
export function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** Why an issuer's OpenID configuration is of no use: for the log and the console. */
export type ConfigurationFault =
  | OutboundFault
  /** The issuer can have none: it is not a URL that may be asked, or it has a query. */
  | 'issuer'
  /** It speaks for another issuer. */
  | 'other_issuer'
  | 'no_jwks_uri'
  /** Its `jwks_uri` may not be asked. */
  | 'jwks_uri'

export type FetchedConfiguration =
  | Discovered
  | { fault: ConfigurationFault; status?: number | undefined; found?: string }

function readConfiguration(document: unknown, issuer: string): FetchedConfiguration {
  if (typeof document !== 'object' || document === null) return { fault: 'not_json' }
  const given = 'issuer' in document ? document.issuer : undefined
  // OpenID Connect Discovery §4.3: otherwise anyone's document could speak for anyone.
  if (given !== issuer) return { fault: 'other_issuer', found: String(given) }
  if (!('jwks_uri' in document) || typeof document.jwks_uri !== 'string') return { fault: 'no_jwks_uri' }
  const jwksUri = document.jwks_uri
  if (jwksUri.length > 2048 || findUrlFault(jwksUri, { allowLoopback: config().allowLoopback })) {
    return { fault: 'jwks_uri', found: jwksUri }
  }
  return { issuer, jwksUri, name: new URL(issuer).host }
}

/**
 * Fetches an issuer's OpenID configuration (OpenID Connect Discovery 1.0 §4) now. Nothing is remembered. Never rejects.
 *
 * @returns where its keys are, or what is wrong in particular
 */
export async function fetchConfiguration(issuer: string): Promise<FetchedConfiguration> {
  if (!isDiscoverable(issuer)) return { fault: 'issuer' }
  const { timeout, bytes } = discoveryLimits
  const fetched = await fetchJson(configurationUrl(issuer), {
    maxBytes: bytes,
    timeout,
    allowLoopback: config().allowLoopback,
  })
  if (fetched.ok) return readConfiguration(fetched.value, issuer)
  return { fault: fetched.reason, status: fetched.status }
}

async function lookUp(issuer: string): Promise<Discovery> {
  const fetched = await fetchConfiguration(issuer)
  if (!('fault' in fetched)) return fetched
  const { fault } = fetched
  log().info({ host: new URL(issuer).host, fault }, 'an unknown issuer could not be looked up')
  return failed
}

/** True when `issuer` can have a configuration: an origin and a path, nothing behind them. */
function isDiscoverable(issuer: string): boolean {
  if (findUrlFault(issuer, { allowLoopback: config().allowLoopback })) return false
  return !issuer.includes('?')
}

function start(issuer: string, host: string): Promise<Discovery> {
  const { answers, running, runningPerHost } = state()
  runningPerHost.set(host, (runningPerHost.get(host) ?? 0) + 1)
  const lookingUp = lookUp(issuer)
    .then((discovery) => {
      answers.set(issuer, { at: now(), discovery })
      return discovery
    })
    .finally(() => {
      running.delete(issuer)
      const left = (runningPerHost.get(host) ?? 1) - 1
      if (left > 0) runningPerHost.set(host, left)
      else runningPerHost.delete(host)
    })
  running.set(issuer, lookingUp)
  return lookingUp
}

/**
 * Looks up an issuer that nobody registered (§3.1, open trust policy; OpenID Connect Discovery 1.0 §4).
 * Answers are remembered for a minute; one look-up runs per issuer, and few at once.
 *
 * @returns where its keys are, or why that is not known. Never rejects.
 */
export async function discoverIssuer(issuer: string): Promise<Discovery> {
  const { answers, running, runningPerHost } = state()
  const known = answers.get(issuer)
  if (known && now() - known.at < discoveryLimits.rememberedFor) return known.discovery
  const joined = running.get(issuer)
  if (joined) return joined
  if (!isDiscoverable(issuer)) return failed
  const { host } = new URL(issuer)
  if (running.size >= discoveryLimits.atOnce) return busy
  if ((runningPerHost.get(host) ?? 0) >= discoveryLimits.atOncePerHost) return busy
  return start(issuer, host)
}
