import { LRUCache } from 'lru-cache'
import { type Level, levelNow, waitFor } from '#lib/identity/token-bucket.ts'
import { now } from '#lib/platform/clock.ts'
import { processState } from '#lib/platform/process-state.ts'

/** How many user codes that lead nowhere one Brand user may try. Of 25 billion, a handful are open. */
const wrongCodes = { requests: 10, perSeconds: 600 }

/** What is forgotten counts as full, and was nearly so: it is the one that was used longest ago. */
function levels() {
  return processState('code-attempts', () => new LRUCache<string, Level>({ max: 50_000 }))
}

function keyOf(brandId: string, brandUserId: string): string {
  return `${brandId} ${brandUserId}`
}

function tokensOf(key: string): number {
  return levelNow(wrongCodes, levels().get(key), now())
}

/**
 * Whole seconds until a Brand user may try a user code again (RFC 8628 §5.1); 0 when they may at once. Each process counts
 * on its own: the space of codes is so large that a few times ten do not matter.
 */
export function codeAttemptWait(brandId: string, brandUserId: string): number {
  return Math.ceil(waitFor(wrongCodes, tokensOf(keyOf(brandId, brandUserId))) / 1000)
}

/** Counts a user code that led nowhere. */
export function countWrongCode(brandId: string, brandUserId: string): void {
  const key = keyOf(brandId, brandUserId)
  levels().set(key, { tokens: Math.max(0, tokensOf(key) - 1), at: now() })
}
