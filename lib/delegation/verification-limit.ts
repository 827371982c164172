import { RateLimiterMemory } from 'rate-limiter-flexible'
import { takeFrom } from '#lib/access/limiter.ts'
import { networkOf } from '#lib/platform/network-of.ts'
import { processState } from '#lib/platform/process-state.ts'

/** Receipts that one network address may have verified in a minute: many people may share one. Each costs two queries. */
export const VERIFICATIONS_PER_MINUTE = 60

function limiter() {
  return processState(
    'verification-limit',
    () => new RateLimiterMemory({ points: VERIFICATIONS_PER_MINUTE, duration: 60 }),
  )
}

/**
 * Takes one of an address's verifications. Each process counts on its own: it is there to bound work, not to keep a secret.
 *
 * @returns whole seconds to wait; 0 when there was one
 */
export async function takeVerification(address: string): Promise<number> {
  return Math.ceil((await takeFrom(limiter(), networkOf(address))) / 1000)
}
