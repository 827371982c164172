import { LRUCache } from 'lru-cache'
import { now } from '#lib/platform/clock.ts'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import { fetchJson } from '#lib/platform/outbound/fetch-document.ts'
import type { OutboundFault } from '#lib/platform/outbound/guarded-request.ts'
import { processState } from '#lib/platform/process-state.ts'
import { importVerificationKey, type VerificationKey } from './jwk-import.ts'
import type { TokenAlgorithm } from './token-format.ts'

/**
 * Whose keys are meant: a personal agent's, or a Brand's login's. `unproven`: an issuer of which no token has verified yet
 * (§3.1, open trust policy).
 */
export type KeySource = { id: string; jwksUri: string; unproven?: boolean }

/** Why no keys are at hand: the host did not deliver, or what it delivered is no JWKS within the limits. */
export type JwksFault = 'jwks_unreachable' | 'jwks_invalid'

export const jwksLimits = {
  /** Milliseconds for one fetch. */
  timeout: 3_000,
  bytes: 64 * 1024,
  keys: 50,
  /** Keys tried for one token: each costs a verification, and a rotation needs two. */
  candidates: 4,
  /** Milliseconds after which held keys are fetched again, beside the requests that they serve. */
  freshFor: 5 * 60_000,
  /** Milliseconds after which requests wait for that fetch, so that a withdrawn key ends. */
  waitedForAfter: 10 * 60_000,
  /** Milliseconds since the last success for which held keys stand in while the host fails. */
  staleFor: 60 * 60_000,
  /** Milliseconds between two fetches that an unknown `kid` asked for. */
  unknownKidPause: 30_000,
  /** Milliseconds to the next attempt after a failure, with and without keys at hand. */
  pauseWithKeys: 30_000,
  pauseWithoutKeys: 5_000,
} as const

/** What is held for one source. Times are milliseconds since 1970. */
type Holder = {
  keys: VerificationKey[] | undefined
  fetchedAt: number
  /** The last attempt's fault, if it failed. */
  fault: JwksFault | undefined
  nextAttemptAt: number
  nextUnknownKidAt: number
  fetching: Promise<void> | undefined
}

/** Issuers that nobody vouches for have a place of their own, so that they can't push out the keys of known ones. */
function holders(source: KeySource): LRUCache<string, Holder> {
  const caches = processState('jwks', () => ({
    proven: new LRUCache<string, Holder>({ max: 2_000 }),
    unproven: new LRUCache<string, Holder>({ max: 200 }),
  }))
  return source.unproven ? caches.unproven : caches.proven
}

function holderOf(source: KeySource): Holder {
  const cache = holders(source)
  const key = `${source.id} ${source.jwksUri}`
  const known = cache.get(key)
  if (known) return known
  const holder: Holder = {
    keys: undefined,
    fetchedAt: 0,
    fault: undefined,
    nextAttemptAt: 0,
    nextUnknownKidAt: 0,
    fetching: undefined,
  }
  cache.set(key, holder)
  return holder
}

type Fetched = { keys: VerificationKey[] } | { fault: JwksFault; detail: OutboundFault | 'not_a_jwks' }

function faultOf(reason: OutboundFault): JwksFault {
  return reason === 'too_large' || reason === 'not_json' ? 'jwks_invalid' : 'jwks_unreachable'
}

function listKeys(document: unknown): unknown[] | undefined {
  if (typeof document !== 'object' || document === null || !('keys' in document)) return undefined
  const { keys } = document
  return Array.isArray(keys) && keys.length <= jwksLimits.keys ? keys : undefined
}

async function fetchKeys(jwksUri: string): Promise<Fetched> {
  const fetched = await fetchJson(jwksUri, {
    maxBytes: jwksLimits.bytes,
    timeout: jwksLimits.timeout,
    allowLoopback: config().allowLoopback,
  })
  if (!fetched.ok) return { fault: faultOf(fetched.reason), detail: fetched.reason }
  const listed = listKeys(fetched.value)
  if (!listed) return { fault: 'jwks_invalid', detail: 'not_a_jwks' }
  const imported = await Promise.all(listed.map(importVerificationKey))
  return { keys: imported.filter((key) => key !== undefined) }
}

async function refresh(source: KeySource, holder: Holder): Promise<void> {
  const fetched = await fetchKeys(source.jwksUri)
  if ('keys' in fetched) {
    Object.assign(holder, { keys: fetched.keys, fetchedAt: now(), fault: undefined, nextAttemptAt: 0 })
    return
  }
  holder.fault = fetched.fault
  holder.nextAttemptAt = now() + (keysAtHand(holder) ? jwksLimits.pauseWithKeys : jwksLimits.pauseWithoutKeys)
  const { fault, detail } = fetched
  log().warn({ source: source.id, fault, detail }, 'the keys of an issuer could not be fetched')
}

/** One fetch in flight per source: who comes meanwhile joins it. Nothing happens while a failure's pause lasts. */
function attempt(source: KeySource, holder: Holder): Promise<void> | undefined {
  if (holder.fetching) return holder.fetching
  if (now() < holder.nextAttemptAt) return undefined
  holder.fetching = refresh(source, holder).finally(() => {
    holder.fetching = undefined
  })
  return holder.fetching
}

function keysAtHand(holder: Holder): VerificationKey[] | undefined {
  return now() - holder.fetchedAt < jwksLimits.staleFor ? holder.keys : undefined
}

/** @returns true when the keys at hand come from a fetch that was waited for */
async function bringUpToDate(source: KeySource, holder: Holder): Promise<boolean> {
  const age = now() - holder.fetchedAt
  if (holder.keys && age < jwksLimits.freshFor) return false
  const fetching = attempt(source, holder)
  if (holder.keys && age < jwksLimits.waitedForAfter) return false
  // While the host is known to fail, stale keys answer at once and the next attempt runs beside them.
  if (!fetching || (holder.fault && keysAtHand(holder))) return false
  await fetching
  return true
}

type Wanted = { kid?: string; alg: TokenAlgorithm }

function select(keys: VerificationKey[], { kid, alg }: Wanted): CryptoKey[] {
  return keys
    .filter((key) => key.alg === alg && (kid === undefined || key.kid === kid))
    .slice(0, jwksLimits.candidates)
    .map(({ key }) => key)
}

/**
 * Finds the keys that may have signed a personal-agent JWT (§3.2) or a login assertion (§5.3), from the JWKS at the
 * source's `jwksUri`. Keys are held in memory within `jwksLimits`; an unknown `kid` makes the JWKS be fetched again, but not often.
 *
 * @param wanted.kid without it every key of the algorithm is a candidate; with it, every key of that `kid` and algorithm
 * @returns the first candidates, few; none when the JWKS has no such key; or the fault when no JWKS is at hand. Never rejects.
 */
export async function findVerificationKeys(
  source: KeySource,
  wanted: Wanted,
): Promise<{ keys: CryptoKey[] } | { fault: JwksFault }> {
  const holder = holderOf(source)
  const justFetched = await bringUpToDate(source, holder)
  const held = keysAtHand(holder)
  if (!held) return { fault: holder.fault ?? 'jwks_unreachable' }
  const keys = select(held, wanted)
  if (keys.length > 0) return { keys }
  if (now() >= holder.nextUnknownKidAt) {
    holder.nextUnknownKidAt = now() + jwksLimits.unknownKidPause
    if (!justFetched) await attempt(source, holder)
  } else {
    await holder.fetching
  }
  return { keys: select(keysAtHand(holder) ?? [], wanted) }
}
