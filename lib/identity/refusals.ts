import { type BatchedCounts, batchedCounts } from '#lib/platform/batched-counts.ts'
import { pool } from '#lib/platform/database.ts'
import type { RefusalReason } from './caller.ts'

/** The most (reason, personal agent) pairs held at once; beyond, the personal agent is left out. */
const MAX_PAIRS = 5_000

/**
 * Requests are refused for their credentials (401; `delegation_token`: the second of them, §5.5), or because they come too
 * often (429).
 */
export type CountedReason = RefusalReason | 'delegation_token' | 'rate_limited'

type Count = { reason: CountedReason; personalAgentId: string; count: number }

function counts(): BatchedCounts<Count> {
  return batchedCounts<Count>('refused requests', store, add)
}

function add(refused: Count): void {
  const held = counts()
  const { reason, personalAgentId, count } = refused
  const key = `${reason} ${personalAgentId}`
  if (personalAgentId !== '' && held.size() >= MAX_PAIRS && !held.has(key)) {
    add({ reason, personalAgentId: '', count })
    return
  }
  held.add(key, refused, (known) => {
    known.count += count
  })
}

/**
 * Counts a refused request, for the console's view of them. In memory at first: it costs the request nothing and can't
 * fail it. Who the User was is not recorded.
 *
 * @param personalAgentId left out where no personal agent was recognised
 */
export function countRefusal(reason: CountedReason, personalAgentId = ''): void {
  add({ reason, personalAgentId, count: 1 })
}

// Sorted, so that two processes take the rows' locks in the same order. The hour is the database's.
const storeStatement = `
  INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count")
  SELECT date_trunc('hour', now(), 'UTC'), "personalAgentId", "reason", "count"
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS counted ("personalAgentId", "reason", "count")
  ORDER BY "personalAgentId", "reason"
  ON CONFLICT ("hour", "personalAgentId", "reason")
  DO UPDATE SET "count" = "RefusedRequests"."count" + EXCLUDED."count"`

async function store(refused: Count[]): Promise<void> {
  await pool().query(storeStatement, [
    refused.map(({ personalAgentId }) => personalAgentId),
    refused.map(({ reason }) => reason),
    refused.map(({ count }) => count),
  ])
}

/**
 * Stores what has been counted: every five seconds while there is something, and at shutdown. Never rejects: what can't be
 * stored is kept for the next time.
 */
export function flushRefusals(): Promise<void> {
  return counts().flush()
}
