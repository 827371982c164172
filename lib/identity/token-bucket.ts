import type { Bucket } from './schema.ts'

/** What one bucket held at a moment, in requests and in milliseconds since 1970. */
export type Level = { tokens: number; at: number }

/**
 * What a bucket holds now: it fills at `requests` in `perSeconds`, up to `requests`.
 *
 * @param level what it held before; undefined for one that nobody has used
 * @param at milliseconds since 1970
 */
export function levelNow(bucket: Bucket, level: Level | undefined, at: number): number {
  if (!level) return bucket.requests
  const refilled = (Math.max(0, at - level.at) * bucket.requests) / (bucket.perSeconds * 1000)
  return Math.min(bucket.requests, level.tokens + refilled)
}

/** Milliseconds until a bucket that holds `tokens` can give one; 0 when it can at once. */
export function waitFor(bucket: Bucket, tokens: number): number {
  return tokens >= 1 ? 0 : ((1 - tokens) * bucket.perSeconds * 1000) / bucket.requests
}
