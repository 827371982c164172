import { LRUCache } from 'lru-cache'
import { pool } from './database.ts'
import { processState } from './process-state.ts'

/** After this many milliseconds a confirmation is renewed in the background. */
const RENEW_AFTER = 400
/** After this many milliseconds nothing is served without a new confirmation: less than the promised second. */
const TRUSTED_FOR = 900
const ENTRIES = 10_000
/** What is not there has a place of its own: strangers may ask for anything, and must not push out what is there. */
const ABSENT_ENTRIES = 1_000

const revisionStatement = {
  name: 'registry-revision',
  text: 'SELECT "value" FROM "RegistryRevision" WHERE "id" = 1',
}

type Entry = { revision: string; value: Promise<unknown> }
/** `absent` also holds what is being loaded, until it turns out to be there. */
type Cache = { found: LRUCache<string, Entry>; absent: LRUCache<string, Entry> }

function state() {
  return processState('revision-cache', () => ({
    revision: '',
    confirmedAt: Number.NEGATIVE_INFINITY,
    checking: undefined as Promise<void> | undefined,
    caches: new Map<string, Cache>(),
  }))
}

async function readRevision(): Promise<void> {
  const shared = state()
  const askedAt = performance.now()
  const { rows } = await pool().query<{ value: string }>(revisionStatement)
  shared.revision = rows[0]?.value ?? ''
  shared.confirmedAt = askedAt
}

function check(): Promise<void> {
  const shared = state()
  shared.checking ??= readRevision().finally(() => {
    shared.checking = undefined
  })
  return shared.checking
}

async function confirm(): Promise<void> {
  const age = performance.now() - state().confirmedAt
  if (age < RENEW_AFTER) return
  const checking = check()
  // In the background a failure is left to the next request that must wait for it.
  if (age < TRUSTED_FOR) checking.catch(() => {})
  else await checking
}

function cacheOf(name: string): Cache {
  const { caches } = state()
  const known = caches.get(name)
  if (known) return known
  const cache: Cache = {
    found: new LRUCache({ max: ENTRIES }),
    absent: new LRUCache({ max: ABSENT_ENTRIES }),
  }
  caches.set(name, cache)
  return cache
}

/** Moves an entry to its place once its value is known, unless it was forgotten or replaced meanwhile. */
async function settle({ found, absent }: Cache, key: string, entry: Entry): Promise<void> {
  const isThere = await entry.value.then(
    (value) => value !== undefined,
    () => undefined,
  )
  if (isThere === false || absent.get(key) !== entry) return
  absent.delete(key)
  if (isThere) found.set(key, entry)
}

/**
 * Remembers facts of the registry (the Provider, personal agents, Brands). A change made by any process is seen here
 * less than a second later: database triggers count changes, and no fact is served once its count is that old.
 *
 * @param name unique in the product
 * @param load reads one fact; undefined (nothing there) is remembered too, within a bounded number of entries
 * @returns a function from key to fact; it rejects when the database can't be asked. Its `forget` makes the next call
 * for a key load anew, in this process: for changes that raise no count
 */
export function revisionCache<T>(name: string, load: (key: string) => Promise<T | undefined>) {
  const lookUp = async (key: string): Promise<T | undefined> => {
    await confirm()
    const { revision } = state()
    const cache = cacheOf(name)
    const { found, absent } = cache
    // An entry read under an earlier count may have missed what that count stands for.
    const known = [found.get(key), absent.get(key)].find((entry) => entry?.revision === revision)
    if (known) return known.value as Promise<T | undefined>
    const value = load(key)
    const entry = { revision, value }
    found.delete(key)
    absent.set(key, entry)
    void settle(cache, key, entry)
    return value
  }
  const forget = (key: string): void => {
    const { found, absent } = cacheOf(name)
    found.delete(key)
    absent.delete(key)
  }
  return Object.assign(lookUp, { forget })
}

/** For tests: the next look-up asks the database. */
export function forgetConfirmation(): void {
  state().confirmedAt = Number.NEGATIVE_INFINITY
}
