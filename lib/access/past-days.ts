import { pool } from '#lib/platform/database.ts'
import { repeat } from '#lib/platform/repeat.ts'

/** Milliseconds between two times that the past day is added up. */
const EVERY = 3_600_000

/** How long after a day's end it is added up, in minutes: what was counted on it is stored by then. */
const REST = 10

/**
 * Days are counted with their hours. A process of an earlier version, which may run beside this one while the Provider is
 * brought up to date, counts hours alone: what it counted is added to the day once that is over, and never to the present
 * one, which others add to.
 */
const past = `"hour" >= date_trunc('day', now() - interval '${REST} minutes', 'UTC') - interval '24 hours'
  AND "hour" < date_trunc('day', now() - interval '${REST} minutes', 'UTC')`

/** In SQL: makes days the sums of their hours, where they are less. @param hours which hours */
export const sumDays = (hours: string): readonly [string, string] => [
  `INSERT INTO "TrafficDay" ("day", "brandId", "kind", "count", "milliseconds")
  SELECT date_trunc('day', "hour", 'UTC'), "brandId", "kind", sum("count"), sum("milliseconds") FROM "TrafficHour"
  WHERE ${hours} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("day", "brandId", "kind") DO UPDATE SET "count" = EXCLUDED."count", "milliseconds" = EXCLUDED."milliseconds"
  WHERE "TrafficDay"."count" < EXCLUDED."count"`,
  `INSERT INTO "RefusedDay" ("day", "personalAgentId", "reason", "count", "lastHour")
  SELECT date_trunc('day', "hour", 'UTC'), "personalAgentId", "reason", sum("count"), max("hour") FROM "RefusedRequests"
  WHERE ${hours} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ("day", "personalAgentId", "reason") DO UPDATE SET "count" = EXCLUDED."count", "lastHour" = EXCLUDED."lastHour"
  WHERE "RefusedDay"."count" < EXCLUDED."count"`,
]

/** Makes the day before the present one the sum of its hours. Again it changes nothing. */
export async function sumPastDay(): Promise<void> {
  for (const statement of sumDays(past)) await pool().query(statement)
}

/** Adds up the past day every hour. @returns what ends it */
export function startSummingDays(): () => void {
  return repeat(sumPastDay, { every: EVERY, failure: 'the past day could not be added up' })
}
