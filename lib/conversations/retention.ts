import { pool } from '#lib/platform/database.ts'
import { BATCH, inBatches } from '#lib/platform/in-batches.ts'
import { repeat } from '#lib/platform/repeat.ts'

/** Milliseconds between two sweeps of one process. */
const EVERY = 60_000
/** Only one process sweeps at a time. */
const RETENTION_LOCK = 4_176_731

type Kept = { table: string; left: string; since: string }

/**
 * In SQL: the ids of one batch of a table's rows `m` that are older than their Brand keeps them, the oldest of each Brand
 * first. While another process sweeps, none.
 *
 * @param kept.left which rows are left to do
 * @param kept.since their time
 */
const due = ({ table, left, since }: Kept) => `
sweeper AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "alone"),
due AS MATERIALIZED (
  SELECT old."id" FROM (
    SELECT "id", coalesce("retentionDays", (SELECT "retentionDays" FROM "Provider" WHERE "id" = 1)) AS "days" FROM "Brand"
  ) b CROSS JOIN LATERAL (
    SELECT m."id" FROM "${table}" m
    WHERE m."brandId" = b."id" AND ${left} AND m."${since}" < now() - b."days" * interval '1 day'
    ORDER BY m."${since}" LIMIT ${BATCH}
  ) old
  WHERE b."days" IS NOT NULL AND (SELECT "alone" FROM sweeper) LIMIT ${BATCH}
)`

// A message loses its reply's text too: a repetition of it then finds no stored reply (§4.3). What the agent remembers is
// made of what was said, and goes with the last text; a turn that has just begun is left alone, and so is its memory.
export const purgeStatement = {
  name: 'purge-texts',
  text: `
WITH ${due({ table: 'Message', left: 'm."purgedAt" IS NULL', since: 'receivedAt' })}, purged AS (
  UPDATE "Message" m SET "text" = '', "replyText" = NULL, "purgedAt" = now()
  WHERE m."id" = ANY (ARRAY(SELECT "id" FROM due)) AND m."purgedAt" IS NULL
  RETURNING m."id", m."conversationId"
), forgotten AS (
  UPDATE "Conversation" c SET "agentState" = '{}'
  WHERE c."id" IN (SELECT "conversationId" FROM purged) AND c."agentState"::text <> '{}' AND c."turnId" IS NULL
    AND c."lastActiveAt" < now() - interval '12 hours'
    AND NOT EXISTS (
      SELECT FROM "Message" m WHERE m."conversationId" = c."id" AND m."purgedAt" IS NULL
        AND m."id" NOT IN (SELECT "id" FROM purged))
)
SELECT count(*)::int AS "count" FROM purged`,
}

/**
 * Deletes the texts of messages and replies that are older than their Brand keeps them (where it says nothing: the
 * Provider), in small batches. Times, receipts
 * and who spoke stay. While another process sweeps, nothing.
 *
 * @returns how many messages lost their texts
 */
export function purgeTexts(): Promise<number> {
  return inBatches(async () => {
    const { rows } = await pool().query<{ count: number }>(purgeStatement)
    return rows[0]?.count ?? 0
  })
}

// What the next run must know of a step-up stays, as the receipts of what was done do.
export const forgetStepUpsStatement = {
  name: 'forget-step-ups',
  text: `
WITH ${due({ table: 'StepUp', left: 'm."calls" IS NULL', since: 'createdAt' })}
DELETE FROM "StepUp" WHERE "id" = ANY (ARRAY(SELECT "id" FROM due))`,
}

/**
 * Deletes what was written down of step-ups for people alone, once their Brand's texts of that age are deleted too. While
 * another process sweeps, nothing.
 *
 * @returns how many
 */
export function forgetStepUps(): Promise<number> {
  return inBatches(async () => (await pool().query(forgetStepUpsStatement)).rowCount ?? 0)
}

async function sweep(): Promise<void> {
  await purgeTexts()
  await forgetStepUps()
}

/** Sweeps every minute. @returns what ends it */
export function startPurging(): () => void {
  return repeat(sweep, { every: EVERY, failure: 'old texts could not be deleted' })
}
