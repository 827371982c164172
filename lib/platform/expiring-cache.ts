import { LRUCache } from 'lru-cache'
import { processState } from './process-state.ts'

/** How often what is too old is let go of, in milliseconds. */
const SWEEP = 60_000

type Options<V extends object | string> = {
  /** Entries, at most. */
  max: number
  /** The size of all entries together, at most, in the unit of `sizeOf`. */
  maxSize: number
  sizeOf(value: V, key: string): number
  /** How long an entry is kept at most, in milliseconds; a minute more where nobody asks for it. */
  ttl: number
}

/**
 * What this process remembers under a name for some time. What is too old is not only no longer found, as in lru-cache: it
 * leaves the memory.
 *
 * @param name of the process's state
 */
export function expiringCache<V extends object | string>(
  name: string,
  { max, maxSize, sizeOf, ttl }: Options<V>,
): LRUCache<string, V> {
  return processState(name, () => {
    const cache = new LRUCache<string, V>({
      ...{ max, maxSize, ttl },
      sizeCalculation: sizeOf,
      ttlResolution: 1_000,
    })
    const timer = setInterval(() => cache.purgeStale(), SWEEP).unref()
    return Object.assign(cache, { [Symbol.dispose]: () => clearInterval(timer) })
  })
}
