import { pool } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { processState } from '#lib/platform/process-state.ts'

/** Milliseconds between two sweeps of one process. */
const EVERY = 60_000
/** Messages that one statement purges at most: it never holds locks for long. */
const BATCH = 500
/** Batches of one sweep at most; the rest waits for the next. */
const BATCHES = 20
/** Only one process sweeps at a time. */
const RETENTION_LOCK = 4_176_731

// A message loses its reply's text too: a repetition of it then finds no stored reply (§4.3). What the agent remembers is
// made of what was said, and goes with the last text; a turn that has just begun is left alone, and so is its memory.
export const purgeStatement = {
  name: 'purge-texts',
  text: `
WITH sweeper AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "alone"),
due AS MATERIALIZED (
  SELECT old."id" FROM (
    SELECT "id", coalesce("retentionDays", (SELECT "retentionDays" FROM "Provider" WHERE "id" = 1)) AS "days" FROM "Brand"
  ) b CROSS JOIN LATERAL (
    SELECT m."id" FROM "Message" m
    WHERE m."brandId" = b."id" AND m."purgedAt" IS NULL
      AND m."receivedAt" < now() - b."days" * interval '1 day'
    ORDER BY m."receivedAt" LIMIT ${BATCH}
  ) old
  WHERE b."days" IS NOT NULL AND (SELECT "alone" FROM sweeper) LIMIT ${BATCH}
), purged AS (
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
export async function purgeTexts(): Promise<number> {
  let purged = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const { rows } = await pool().query<{ count: number }>(purgeStatement)
    const count = rows[0]?.count ?? 0
    purged += count
    if (count < BATCH) break
  }
  return purged
}

// What the next run must know of a step-up stays, as the receipts of what was done do.
export const forgetStepUpsStatement = {
  name: 'forget-step-ups',
  text: `
WITH sweeper AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "alone"),
due AS MATERIALIZED (
  SELECT old."id" FROM (
    SELECT "id", coalesce("retentionDays", (SELECT "retentionDays" FROM "Provider" WHERE "id" = 1)) AS "days" FROM "Brand"
  ) b CROSS JOIN LATERAL (
    SELECT s."id" FROM "StepUp" s
    WHERE s."brandId" = b."id" AND s."calls" IS NULL AND s."createdAt" < now() - b."days" * interval '1 day'
    ORDER BY s."createdAt" LIMIT ${BATCH}
  ) old
  WHERE b."days" IS NOT NULL AND (SELECT "alone" FROM sweeper) LIMIT ${BATCH}
)
DELETE FROM "StepUp" WHERE "id" = ANY (ARRAY(SELECT "id" FROM due))`,
}

/**
 * Deletes what was written down of step-ups for people alone, once their Brand's texts of that age are deleted too. While
 * another process sweeps, nothing.
 *
 * @returns how many
 */
export async function forgetStepUps(): Promise<number> {
  let forgotten = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const { rowCount } = await pool().query(forgetStepUpsStatement)
    forgotten += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) break
  }
  return forgotten
}

async function sweep(): Promise<void> {
  await purgeTexts()
  await forgetStepUps()
}

function state() {
  return processState('retention', () => ({ timer: undefined as NodeJS.Timeout | undefined }))
}

/** Sweeps every minute until {@link stopPurging}. A failure is left to the next time. */
export function startPurging(): void {
  const shared = state()
  shared.timer ??= setInterval(() => {
    sweep().catch((error) => log().warn({ reason: String(error) }, 'old texts could not be deleted'))
  }, EVERY).unref()
}

/** Ends what {@link startPurging} began. */
export function stopPurging(): void {
  const shared = state()
  clearInterval(shared.timer)
  shared.timer = undefined
}
