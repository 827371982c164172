import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { now } from '#lib/platform/clock.ts'
import { config } from '#lib/platform/config.ts'
import { processState } from '#lib/platform/process-state.ts'
import type { Caller } from './caller.ts'
import { takeFromSharedBuckets } from './redis-buckets.ts'
import type { Limits } from './schema.ts'
import { type Level, levelNow, waitFor } from './token-bucket.ts'

/** Whether a request may go on. `retryAfter`: whole seconds, at least 1, after which the next one can (RFC 9110 §10.2.3). */
export type Admission = { ok: true } | { ok: false; retryAfter: number }

/**
 * The levels that this process keeps. Bounded: what is forgotten counts as full, and was nearly so, for it is the one
 * that was used longest ago. Users have their own place, so that they can't push out their personal agents.
 */
function levels() {
  return processState('rate-limits', () => ({
    personalAgents: new LRUCache<string, Level>({ max: 10_000 }),
    users: new LRUCache<string, Level>({ max: 100_000 }),
  }))
}

/** Characters of base64url that tell Users apart: 132 bits. */
const USER_KEY_LENGTH = 22

/** A User under its personal agent, in a fixed length and without its `sub`, which may be a person's name. */
function userKeyOf({ personalAgent, subject }: Caller): string {
  return `${personalAgent.id}:${hash('sha256', subject, 'base64url').slice(0, USER_KEY_LENGTH)}`
}

function takeFromOwnBuckets(personalAgentId: string, userKey: string, limits: Limits): number {
  const { personalAgents, users } = levels()
  const at = now()
  const agentTokens = levelNow(limits.perPersonalAgent, personalAgents.get(personalAgentId), at)
  const userTokens = levelNow(limits.perUser, users.get(userKey), at)
  const wait = Math.max(waitFor(limits.perPersonalAgent, agentTokens), waitFor(limits.perUser, userTokens))
  // A refused request takes from neither: one eager User must not use up what the others share.
  if (wait > 0) return wait
  personalAgents.set(personalAgentId, { tokens: agentTokens - 1, at })
  users.set(userKey, { tokens: userTokens - 1, at })
  return 0
}

/**
 * Takes one request from the caller's two token buckets: its personal agent's, and its own (§6, 429).
 * In this process's memory; with `REDIS_URL`, in Redis for all processes, or in memory while Redis is out of reach.
 *
 * @param limits the Provider's; the personal agent's own override them
 * @returns never rejects
 */
export async function takeFromBuckets(caller: Caller, limits: Limits): Promise<Admission> {
  const { personalAgent } = caller
  const effective: Limits = {
    perPersonalAgent: personalAgent.limits?.perPersonalAgent ?? limits.perPersonalAgent,
    perUser: personalAgent.limits?.perUser ?? limits.perUser,
  }
  const userKey = userKeyOf(caller)
  const { redisUrl } = config()
  const shared = redisUrl
    ? await takeFromSharedBuckets(redisUrl, personalAgent.id, userKey, effective)
    : undefined
  const wait = shared ?? takeFromOwnBuckets(personalAgent.id, userKey, effective)
  return wait === 0 ? { ok: true } : { ok: false, retryAfter: Math.max(1, Math.ceil(wait / 1000)) }
}
