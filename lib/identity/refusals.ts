import { pool } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { processState } from '#lib/platform/process-state.ts'
import type { RefusalReason } from './caller.ts'

/** Milliseconds from the first count to the moment when it is stored. */
const FLUSH_AFTER = 5_000
/** The most (reason, personal agent) pairs held at once; beyond, the personal agent is left out. */
const MAX_PAIRS = 5_000

/**
 * Requests are refused for their credentials (401; `delegation_token`: the second of them, §5.5), or because they come too
 * often (429).
 */
export type CountedReason = RefusalReason | 'delegation_token' | 'rate_limited'

type Count = { reason: CountedReason; personalAgentId: string; count: number }

function state() {
  return processState('refusals', () => ({
    counts: new Map<string, Count>(),
    timer: undefined as NodeJS.Timeout | undefined,
    flushing: undefined as Promise<void> | undefined,
  }))
}

function add({ reason, personalAgentId, count }: Count): void {
  const { counts } = state()
  const key = `${reason} ${personalAgentId}`
  const known = counts.get(key)
  if (known) known.count += count
  else if (counts.size < MAX_PAIRS || personalAgentId === '')
    counts.set(key, { reason, personalAgentId, count })
  else add({ reason, personalAgentId: '', count })
}

function scheduleFlush(): void {
  const shared = state()
  shared.timer ??= setTimeout(() => void flushRefusals(), FLUSH_AFTER).unref()
}

/**
 * Counts a refused request, for the console's view of them. In memory at first: it costs the request nothing and can't
 * fail it. Who the User was is not recorded.
 *
 * @param personalAgentId left out where no personal agent was recognised
 */
export function countRefusal(reason: CountedReason, personalAgentId = ''): void {
  add({ reason, personalAgentId, count: 1 })
  scheduleFlush()
}

// Sorted, so that two processes take the rows' locks in the same order. The hour is the database's.
const storeStatement = `
  INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count")
  SELECT date_trunc('hour', now(), 'UTC'), "personalAgentId", "reason", "count"
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS counted ("personalAgentId", "reason", "count")
  ORDER BY "personalAgentId", "reason"
  ON CONFLICT ("hour", "personalAgentId", "reason")
  DO UPDATE SET "count" = "RefusedRequests"."count" + EXCLUDED."count"`

async function store(counts: Count[]): Promise<void> {
  try {
    await pool().query(storeStatement, [
      counts.map(({ personalAgentId }) => personalAgentId),
      counts.map(({ reason }) => reason),
      counts.map(({ count }) => count),
    ])
  } catch (error) {
    for (const count of counts) add(count)
    scheduleFlush()
    log().warn({ reason: String(error) }, 'refused requests could not be counted, and will be later')
  }
}

/**
 * Stores what has been counted: every five seconds while there is something, and at shutdown. Never rejects: what can't be
 * stored is kept for the next time.
 */
export async function flushRefusals(): Promise<void> {
  const shared = state()
  while (shared.flushing) await shared.flushing
  clearTimeout(shared.timer)
  shared.timer = undefined
  if (shared.counts.size === 0) return
  const counts = [...shared.counts.values()]
  shared.counts = new Map()
  shared.flushing = store(counts).finally(() => {
    shared.flushing = undefined
  })
  await shared.flushing
}
