import { describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool } from '#lib/platform/database.ts'
import { sumPastDay } from './past-days.ts'

databaseOfThisFile()

/** Counted by the hour alone, as by a process of an earlier version. */
async function countHours(daysAgo: number, count: number) {
  const hour = `date_trunc('day', now() - interval '10 minutes', 'UTC') - $1 * interval '24 hours' + interval '5 minutes'`
  await pool().query(
    `INSERT INTO "TrafficHour" ("hour", "brandId", "personalAgentId", "kind", "count")
    SELECT ${hour}, 'b', agent, 'message', $2 FROM unnest(ARRAY['one', 'other']) AS agent`,
    [daysAgo, count],
  )
  await pool().query(
    `INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count") VALUES (${hour}, '', 'expired', $2)`,
    [daysAgo, count],
  )
}

const days = async (table: string) => {
  const { rows } = await pool().query(
    `SELECT (extract(epoch FROM date_trunc('day', now() - interval '10 minutes', 'UTC') - "day") / 86400)::int AS "ago",
      "count"::int FROM "${table}" ORDER BY 1`,
  )
  return rows.map(({ ago, count }) => [ago, count])
}

describe('the past day', () => {
  it('becomes the sum of its hours, and no other day does', async () => {
    for (const daysAgo of [0, 1, 2]) await countHours(daysAgo, 10 + daysAgo)
    await pool().query(
      `INSERT INTO "TrafficDay" ("day", "brandId", "kind", "count")
      SELECT date_trunc('day', now() - interval '10 minutes', 'UTC') - n * interval '24 hours', 'b', 'message', 1
      FROM generate_series(0, 2) AS n`,
    )
    for (let times = 0; times < 2; times += 1) await sumPastDay()
    expect(await days('TrafficDay')).toEqual([
      [0, 1],
      [1, 22],
      [2, 1],
    ])
    expect(await days('RefusedDay')).toEqual([[1, 11]])
  })
})
