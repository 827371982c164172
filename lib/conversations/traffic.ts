import type { TurnUsage } from '#lib/agents/agent.ts'
import { type BatchedCounts, batchedCounts } from '#lib/platform/batched-counts.ts'
import { pool } from '#lib/platform/database.ts'

/** What is counted by the hour and by the day, for the console's charts. `error`: a turn that ended in `INTERNAL`. */
export type TrafficKind = 'message' | 'step_up' | 'error' | 'consent_approved' | 'consent_denied' | 'token'

/** Upper bounds of a turn's time, in milliseconds: percentiles are read off how many turns lie below each. */
export const turnBounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const

/** The kind under which a turn of this length is counted beside its own: `turn:25` is 10 to 25 ms. */
export function turnKind(milliseconds: number): string {
  return `turn:${turnBounds.find((bound) => milliseconds <= bound) ?? 'more'}`
}

/** All that {@link turnKind} gives, in the order of the bounds. */
export const turnKinds: readonly string[] = [...turnBounds, Number.POSITIVE_INFINITY].map(turnKind)

type Count = { kind: string; brandId: string; personalAgentId: string; count: number; milliseconds: number }

/** The most (kind, Brand, personal agent) triples held at once; beyond, the personal agent is left out. */
const MAX_TRIPLES = 20_000

// Sorted, so that two processes take the rows' locks in the same order. The hour and the day are the database's. In one
// statement, so that a day is always the sum of its hours.
export const storeTrafficStatement = {
  name: 'store-traffic',
  text: `
WITH counted AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
    AS c ("brandId", "personalAgentId", "kind", "count", "milliseconds")
), hours AS (
  INSERT INTO "TrafficHour" ("hour", "brandId", "personalAgentId", "kind", "count", "milliseconds")
  SELECT date_trunc('hour', now(), 'UTC'), "brandId", "personalAgentId", "kind", "count", "milliseconds" FROM counted
  ORDER BY "brandId", "personalAgentId", "kind"
  ON CONFLICT ("hour", "brandId", "personalAgentId", "kind")
  DO UPDATE SET "count" = "TrafficHour"."count" + EXCLUDED."count",
    "milliseconds" = "TrafficHour"."milliseconds" + EXCLUDED."milliseconds"
)
INSERT INTO "TrafficDay" ("day", "brandId", "kind", "count", "milliseconds")
SELECT date_trunc('day', now(), 'UTC'), "brandId", "kind", sum("count"), sum("milliseconds") FROM counted
GROUP BY "brandId", "kind" ORDER BY "brandId", "kind"
ON CONFLICT ("day", "brandId", "kind")
DO UPDATE SET "count" = "TrafficDay"."count" + EXCLUDED."count",
  "milliseconds" = "TrafficDay"."milliseconds" + EXCLUDED."milliseconds"`,
}

async function store(counts: Count[]): Promise<void> {
  await pool().query(storeTrafficStatement, [
    counts.map(({ brandId }) => brandId),
    counts.map(({ personalAgentId }) => personalAgentId),
    counts.map(({ kind }) => kind),
    counts.map(({ count }) => count),
    counts.map(({ milliseconds }) => Math.round(milliseconds)),
  ])
}

function counts(): BatchedCounts<Count> {
  return batchedCounts<Count>('traffic', store, add)
}

function add(count: Count): void {
  const held = counts()
  const key = `${count.kind} ${count.brandId} ${count.personalAgentId}`
  if (count.personalAgentId !== '' && held.size() >= MAX_TRIPLES && !held.has(key)) {
    add({ ...count, personalAgentId: '' })
    return
  }
  held.add(key, count, (known) => {
    known.count += count.count
    known.milliseconds += count.milliseconds
  })
}

/** Who and what a count is about. */
type Parties = { brandId: string; personalAgentId?: string }

/** Counts something that happened at a Brand. Costs nothing worth naming, and can't fail. */
export function countTraffic(kind: TrafficKind, { brandId, personalAgentId = '' }: Parties): void {
  add({ kind, brandId, personalAgentId, count: 1, milliseconds: 0 })
}

/** Counts a turn and how long it took, in milliseconds. */
export function countTurn(
  kind: 'message' | 'step_up' | 'error',
  { brandId, personalAgentId = '' }: Parties,
  milliseconds: number,
): void {
  add({ kind, brandId, personalAgentId, count: 1, milliseconds })
  add({ kind: turnKind(milliseconds), brandId, personalAgentId, count: 1, milliseconds })
}

/** What turns use, as it is counted. */
export type UsageKind =
  | 'model_call'
  | 'failed_model_call'
  | 'input_token'
  | 'output_token'
  | 'tool_call'
  | 'failed_tool_call'

/** Counts what a turn used, each kind that it used; calls with their time. */
export function countUsage({ brandId, personalAgentId = '' }: Parties, usage: TurnUsage): void {
  const countKind = (kind: UsageKind, count: number, milliseconds = 0) => {
    if (count > 0) add({ kind, brandId, personalAgentId, count, milliseconds })
  }
  countKind('model_call', usage.modelCalls, usage.modelTime)
  countKind('failed_model_call', usage.failedModelCalls)
  countKind('input_token', usage.inputTokens)
  countKind('output_token', usage.outputTokens)
  countKind('tool_call', usage.toolCalls, usage.toolTime)
  countKind('failed_tool_call', usage.failedToolCalls)
}

/** Stores what has been counted: every five seconds while there is something, and at shutdown. Never rejects. */
export function flushTraffic(): Promise<void> {
  return counts().flush()
}
