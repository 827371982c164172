import { RateLimiterMemory } from 'rate-limiter-flexible'
import { processState } from '#lib/platform/process-state.ts'

/** How many personal agents that nobody registered one process records in a minute (§3.1, open trust policy). */
export const newcomerLimits = {
  /** One host can name any number of issuers at its origin. */
  perOrigin: 5,
  inAll: 60,
} as const

function limiters() {
  return processState('newcomer-limits', () => ({
    perOrigin: new RateLimiterMemory({ points: newcomerLimits.perOrigin, duration: 60 }),
    inAll: new RateLimiterMemory({ points: newcomerLimits.inAll, duration: 60 }),
  }))
}

async function take(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch {
    // In memory nothing fails: the library rejects with its result when no place is left.
    return false
  }
}

/**
 * Takes a place for one new personal agent.
 *
 * @param issuer a URL whose token has verified
 * @returns false when its origin, or all together, had their share of this minute
 */
export async function takeNewcomerPlace(issuer: string): Promise<boolean> {
  const { perOrigin, inAll } = limiters()
  // The origin first: one that is refused takes nothing from what all share.
  return (await take(perOrigin, new URL(issuer).origin)) && (await take(inAll, 'all'))
}
