import { LRUCache } from 'lru-cache'
import { type Level, levelNow, waitFor } from '#lib/identity/token-bucket.ts'
import { now } from '#lib/platform/clock.ts'
import { processState } from '#lib/platform/process-state.ts'

/** How many user codes that do not exist one Brand user may try. Of 25 billion, a handful are open. */
const unknownCodes = { requests: 10, perSeconds: 600 }

/** What is forgotten counts as full, and was nearly so: it is the one that was used longest ago. */
function levels() {
  return processState('code-attempts', () => new LRUCache<string, Level>({ max: 50_000 }))
}

/**
 * Takes one of a Brand user's attempts at a user code (RFC 8628 §5.1), before the code is looked up: of many at the same
 * moment no more are looked up than there are attempts. A code that exists gives it back.
 *
 * Each process counts on its own: the space of codes is so large that a few times ten do not matter. It counts per Brand
 * user, who had to log in with the Brand. A network address is not counted: behind a proxy none can be trusted here.
 *
 * @returns `wait`: whole seconds until there is another attempt, when there is none now
 */
export function takeCodeAttempt(
  brandId: string,
  brandUserId: string,
): { ok: true; giveBack(): void } | { ok: false; wait: number } {
  const key = `${brandId} ${brandUserId}`
  const held = () => levelNow(unknownCodes, levels().get(key), now())
  const tokens = held()
  if (tokens < 1) return { ok: false, wait: Math.ceil(waitFor(unknownCodes, tokens) / 1000) }
  levels().set(key, { tokens: tokens - 1, at: now() })
  const giveBack = () => void levels().set(key, { tokens: held() + 1, at: now() })
  return { ok: true, giveBack }
}
