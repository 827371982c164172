import { LRUCache } from 'lru-cache'
import { now } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import { processState } from '#lib/platform/process-state.ts'
import { fetchJwks, fetchLimits, type JwksDetail, type JwksFault } from './fetch-jwks.ts'
import { importVerificationKey, type VerificationKey } from './jwk-import.ts'
import type { TokenAlgorithm } from './token-format.ts'

/**
 * Whose keys are meant: a personal agent's, or a Brand's login's. `unproven`: an issuer of which no token has verified yet
 * (§3.1, open trust policy).
 */
export type KeySource = { id: string; jwksUri: string; unproven?: boolean }

export type { JwksFault } from './fetch-jwks.ts'

export const jwksLimits = {
  ...fetchLimits,
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

async function fetchKeys(
  jwksUri: string,
): Promise<{ keys: VerificationKey[] } | { fault: JwksFault; detail: JwksDetail }> {
  const fetched = await fetchJwks(jwksUri)
  if ('fault' in fetched) return fetched
  const imported = await Promise.all(fetched.members.map(importVerificationKey))
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

/** What requests of a source are verified with now, in this process. Times are milliseconds since 1970. */
export type HeldKeys = {
  kids: (string | undefined)[]
  fetchedAt: number
  /** The last attempt's fault, if it failed; another is made at `nextAttemptAt`. */
  fault: JwksFault | undefined
  nextAttemptAt: number
}

/** The keys that this process holds of a source; undefined when it has never asked for them. Fetches nothing. */
export function findHeldKeys(source: KeySource): HeldKeys | undefined {
  const holder = holders(source).peek(`${source.id} ${source.jwksUri}`)
  if (!holder) return undefined
  const { fetchedAt, fault, nextAttemptAt } = holder
  return { kids: (keysAtHand(holder) ?? []).map(({ kid }) => kid), fetchedAt, fault, nextAttemptAt }
}
