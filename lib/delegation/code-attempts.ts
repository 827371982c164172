import { LRUCache } from 'lru-cache'
import { type Level, levelNow, waitFor } from '#lib/identity/token-bucket.ts'
import { now } from '#lib/platform/clock.ts'
import { networkOf } from '#lib/platform/network-of.ts'
import { processState } from '#lib/platform/process-state.ts'

/** How many user codes that do not exist may be tried. Of 25 billion, a handful are open. */
const unknownCodes = {
  /** By one Brand user. */
  user: { requests: 10, perSeconds: 600 },
  /** From one network address, at all Brands and whoever is logged in: many people may share it. */
  address: { requests: 60, perSeconds: 600 },
} as const

type Kind = keyof typeof unknownCodes

/** Who tries: logged in at this Brand as this user, from this network address where it is known. */
export type CodeAttempt = { brandId: string; brandUserId: string; address?: string | undefined }

/** What is forgotten counts as full, and was nearly so: it is the one that was used longest ago. */
function levels() {
  return processState('code-attempts', () => ({
    user: new LRUCache<string, Level>({ max: 50_000 }),
    address: new LRUCache<string, Level>({ max: 50_000 }),
  }))
}

/** @returns what one bucket holds, and what changes it by so many attempts */
function openBucket([kind, key]: readonly [Kind, string]) {
  const held = () => levelNow(unknownCodes[kind], levels()[kind].get(key), now())
  return {
    wait: waitFor(unknownCodes[kind], held()),
    add: (attempts: number) => void levels()[kind].set(key, { tokens: held() + attempts, at: now() }),
  }
}

/**
 * Takes one of the attempts at a user code (RFC 8628 §5.1) that a Brand user has, and their network address, before the code
 * is looked up: of many at the same moment no more are looked up than there are attempts. A code that exists gives it back.
 *
 * Each process counts on its own: the space of codes is so large that a few times sixty do not matter.
 *
 * @returns `wait`: whole seconds until there is another attempt, when there is none now
 */
export function takeCodeAttempt({
  brandId,
  brandUserId,
  address,
}: CodeAttempt): { ok: true; giveBack(): void } | { ok: false; wait: number } {
  const buckets = [
    openBucket(['user', `${brandId} ${brandUserId}`]),
    ...(address ? [openBucket(['address', networkOf(address)])] : []),
  ]
  const wait = Math.max(...buckets.map((bucket) => bucket.wait))
  if (wait > 0) return { ok: false, wait: Math.ceil(wait / 1000) }
  for (const { add } of buckets) add(-1)
  return {
    ok: true,
    giveBack() {
      for (const { add } of buckets) add(1)
    },
  }
}
