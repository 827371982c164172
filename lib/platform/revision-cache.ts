import { LRUCache } from 'lru-cache'
import { pool } from './database.ts'
import { processState } from './process-state.ts'

/** After this many milliseconds a confirmation is renewed in the background. */
const RENEW_AFTER = 400
/** After this many milliseconds nothing is served without a new confirmation: less than the promised second. */
const TRUSTED_FOR = 900
const ENTRIES = 10_000

const revisionStatement = {
  name: 'registry-revision',
  text: 'SELECT "value" FROM "RegistryRevision" WHERE "id" = 1',
}

type Entry = { revision: string; value: Promise<unknown> }

function state() {
  return processState('revision-cache', () => ({
    revision: '',
    confirmedAt: Number.NEGATIVE_INFINITY,
    checking: undefined as Promise<void> | undefined,
    caches: new Map<string, LRUCache<string, Entry>>(),
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

/**
 * Remembers facts of the registry (the Provider, personal agents, Brands). A change made by any process is seen here
 * less than a second later: database triggers count changes, and no fact is served once its count is that old.
 *
 * @param name unique in the product
 * @param load reads one fact; undefined (nothing there) is remembered too, within a bounded number of entries
 * @returns a function from key to fact; it rejects when the database can't be asked
 */
export function revisionCache<T>(name: string, load: (key: string) => Promise<T | undefined>) {
  return async (key: string): Promise<T | undefined> => {
    const shared = state()
    await confirm()
    const cache = shared.caches.get(name) ?? new LRUCache<string, Entry>({ max: ENTRIES })
    shared.caches.set(name, cache)
    const known = cache.get(key)
    // An entry read under an earlier count may have missed what that count stands for.
    if (known && known.revision === shared.revision) return known.value as Promise<T | undefined>
    const value = load(key)
    cache.set(key, { revision: shared.revision, value })
    value.catch(() => cache.delete(key))
    return value
  }
}

/** For tests: the next look-up asks the database. */
export function forgetConfirmation(): void {
  state().confirmedAt = Number.NEGATIVE_INFINITY
}
