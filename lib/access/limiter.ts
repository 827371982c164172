import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { sharedRedis } from '#lib/identity/redis-buckets.ts'
import { config } from '#lib/platform/config.ts'

/**
 * Counts by key: so many `points` in so many `seconds`. With `REDIS_URL` for all processes together; while Redis is out of
 * reach, each process counts on its own.
 *
 * @param name unique in the product
 */
export function newLimiter({
  name,
  points,
  seconds,
}: {
  name: string
  points: number
  seconds: number
}): RateLimiterAbstract {
  const options = { keyPrefix: `pact-${name}`, points, duration: seconds }
  const memory = new RateLimiterMemory(options)
  const { redisUrl } = config()
  if (!redisUrl) return memory
  return new RateLimiterRedis({ ...options, storeClient: sharedRedis(redisUrl), insuranceLimiter: memory })
}

/** Takes one of a key's points. @returns milliseconds to wait; 0 when one was taken */
export async function takeFrom(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refusal) {
    // The library rejects with its result when nothing is left.
    if (typeof refusal === 'object' && refusal !== null && 'msBeforeNext' in refusal) {
      return Math.max(1, Number(refusal.msBeforeNext))
    }
    throw refusal
  }
}
