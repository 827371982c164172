import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { now } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import { processState } from '#lib/platform/process-state.ts'
import type { Bucket, Limits } from './schema.ts'

/** Milliseconds that one command may take. */
const COMMAND_TIMEOUT = 250
/** Milliseconds for which Redis is left alone after a failure, so that a hanging one does not slow every request. */
const PAUSE = 2_000

/**
 * A token bucket in place of the library's fixed window, which lets twice the requests through around its edge.
 * ARGV[3] is the bucket's size; ARGV[4] the milliseconds in which it fills. More than the size consumed means refused.
 */
const tokenBucketScript = `
local size, period = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local held = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local elapsed = math.max(0, now - (tonumber(held[2]) or now))
local tokens = math.min(size, (tonumber(held[1]) or size) + elapsed * size / period)
if tokens < 1 then return {size + 1, math.ceil((1 - tokens) * period / size)} end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.17g', tokens - 1), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(period))
return {1, 0}`

type Shared = {
  client: Redis
  limiters: LRUCache<string, RateLimiterRedis>
  failedAt: number
  failing: boolean
}

function connect(url: string): Shared {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT,
    connectTimeout: 2_000,
    retryStrategy: (attempts) => Math.min(attempts * 200, 5_000),
  })
  const shared: Shared = {
    client,
    limiters: new LRUCache({ max: 500 }),
    failedAt: Number.NEGATIVE_INFINITY,
    failing: false,
  }
  client.on('error', () => noteFailure(shared))
  client.on('ready', () => noteSuccess(shared))
  return shared
}

function slot() {
  return processState('redis-buckets', () => ({ current: undefined as Shared | undefined }))
}

function sharedAt(url: string): Shared {
  const { current } = slot()
  if (current) return current
  const opened = connect(url)
  slot().current = opened
  return opened
}

/** The process's one connection to Redis. Commands fail at once while it is out of reach. */
export function sharedRedis(url: string): Redis {
  return sharedAt(url).client
}

function limiterFor({ client, limiters }: Shared, keyPrefix: string, bucket: Bucket): RateLimiterRedis {
  const name = `${keyPrefix} ${bucket.requests} ${bucket.perSeconds}`
  const known = limiters.get(name)
  if (known) return known
  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix,
    points: bucket.requests,
    // Handed to the script as it is: milliseconds there.
    duration: bucket.perSeconds * 1000,
    customIncrTtlLuaScript: tokenBucketScript,
  })
  limiters.set(name, limiter)
  return limiter
}

/** @returns milliseconds to wait, 0 when a request was taken. @throws when Redis did not answer */
async function takeFrom(limiter: RateLimiterRedis, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refusal) {
    // The library rejects with its result when a bucket is empty, and with an Error when the store failed.
    if (typeof refusal === 'object' && refusal !== null && 'msBeforeNext' in refusal) {
      return Math.max(1, Number(refusal.msBeforeNext))
    }
    throw refusal
  }
}

function noteFailure(shared: Shared): void {
  shared.failedAt = now()
  if (shared.failing) return
  shared.failing = true
  log().warn('Redis is out of reach: each process limits requests on its own until it is back')
}

function noteSuccess(shared: Shared): void {
  shared.failedAt = Number.NEGATIVE_INFINITY
  if (!shared.failing) return
  shared.failing = false
  log().info('Redis is back: requests are limited for all processes together')
}

/**
 * Takes one request from the two buckets in Redis, the User's first: a User that is refused takes nothing from what its
 * personal agent's other Users share.
 *
 * @returns milliseconds to wait, 0 when the request may go on, undefined while Redis is out of reach; never rejects
 */
export async function takeFromSharedBuckets(
  url: string,
  personalAgentId: string,
  userKey: string,
  limits: Limits,
): Promise<number | undefined> {
  const shared = sharedAt(url)
  if (shared.client.status !== 'ready' || now() - shared.failedAt < PAUSE) return undefined
  try {
    const wait =
      (await takeFrom(limiterFor(shared, 'pact-user', limits.perUser), userKey)) ||
      (await takeFrom(limiterFor(shared, 'pact-agent', limits.perPersonalAgent), personalAgentId))
    noteSuccess(shared)
    return wait
  } catch {
    noteFailure(shared)
    return undefined
  }
}

/** Closes the connection to Redis, if there is one; the next use opens it anew. */
export async function closeSharedBuckets(): Promise<void> {
  const { current } = slot()
  slot().current = undefined
  current?.client.disconnect()
}
