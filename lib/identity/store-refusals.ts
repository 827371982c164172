import { pool } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import type { CountedRefusals } from './refusal.ts'

/** Rows kept of one personal agent (or of all that were not recognised) and one reason: a flood pushes out its own kind only. */
export const KEPT_ALIKE = 20
/** How long they are kept. */
export const KEPT_DAYS = 7
/** Only one process prunes at a time. */
const PRUNING_LOCK = 4_176_732

// A token's claims are looked at before its issuer (§3.2): here whoever it names is found, unproven as it is. What is
// neither a personal agent nor a Brand of ours is a stranger's text: the issuer is kept, cut, and the Brand is not.
// Sorted, so that two processes take the rows' locks in the same order. The hour and the day are the database's.
const storeStatement = `
WITH refused AS MATERIALIZED (
  SELECT coalesce(nullif(c."personalAgentId", ''), p."id"::text, '') AS "personalAgentId",
    CASE WHEN c."personalAgentId" = '' AND p."id" IS NULL THEN left(c."issuer", 200) ELSE '' END AS "issuer",
    coalesce(b."id", '') AS "brandId", c."reason", c."count", to_timestamp(c."at" / 1000) AS "at"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::float8[])
    AS c ("reason", "personalAgentId", "issuer", "brandId", "count", "at")
  LEFT JOIN "PersonalAgent" p ON p."issuer" = c."issuer"
  LEFT JOIN "Brand" b ON b."id" = c."brandId"
), hourly AS (
  INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count")
  SELECT date_trunc('hour', now(), 'UTC'), "personalAgentId", "reason", sum("count") FROM refused
  GROUP BY "personalAgentId", "reason" ORDER BY "personalAgentId", "reason"
  ON CONFLICT ("hour", "personalAgentId", "reason")
  DO UPDATE SET "count" = "RefusedRequests"."count" + EXCLUDED."count"
), daily AS (
  INSERT INTO "RefusedDay" ("day", "personalAgentId", "reason", "count", "lastHour")
  SELECT date_trunc('day', now(), 'UTC'), "personalAgentId", "reason", sum("count"), date_trunc('hour', now(), 'UTC')
  FROM refused GROUP BY "personalAgentId", "reason" ORDER BY "personalAgentId", "reason"
  ON CONFLICT ("day", "personalAgentId", "reason") DO UPDATE
  SET "count" = "RefusedDay"."count" + EXCLUDED."count",
    "lastHour" = greatest("RefusedDay"."lastHour", EXCLUDED."lastHour")
), alike AS (
  SELECT "personalAgentId", "reason", date_trunc('minute', "at", 'UTC') AS "minute", "issuer", "brandId",
    max("at") AS "at", sum("count")::bigint AS "count",
    row_number() OVER (PARTITION BY "personalAgentId", "reason" ORDER BY max("at") DESC) AS "place"
  FROM refused GROUP BY 1, 2, 3, 4, 5
)
INSERT INTO "Refusal" ("personalAgentId", "reason", "minute", "issuer", "brandId", "at", "count")
SELECT "personalAgentId", "reason", "minute", "issuer", "brandId", "at", "count" FROM alike
WHERE "place" <= ${KEPT_ALIKE} ORDER BY 1, 2, 3, 4, 5
ON CONFLICT ("personalAgentId", "reason", "minute", "issuer", "brandId") DO UPDATE
SET "count" = "Refusal"."count" + EXCLUDED."count", "at" = greatest("Refusal"."at", EXCLUDED."at")
RETURNING "personalAgentId", "reason"`

const pruneStatement = `
WITH pruner AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${PRUNING_LOCK}) AS "alone"),
surplus AS (
  SELECT "key" FROM (
    SELECT r.ctid AS "key", row_number() OVER (PARTITION BY r."personalAgentId", r."reason" ORDER BY r."at" DESC) AS "place"
    FROM "Refusal" r JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS grown ("personalAgentId", "reason")
      USING ("personalAgentId", "reason")
  ) placed WHERE "place" > ${KEPT_ALIKE}
)
DELETE FROM "Refusal" WHERE (SELECT "alone" FROM pruner)
  AND (ctid IN (SELECT "key" FROM surplus) OR "at" < now() - interval '${KEPT_DAYS} days')`

/**
 * Stores refused requests: how many there were in the hour and on the day, and the last ones of each personal agent and
 * reason, those of one minute that are alike in one row.
 */
export async function storeRefusals(refused: readonly CountedRefusals[]): Promise<void> {
  const { rows } = await pool().query<{ personalAgentId: string; reason: string }>(storeStatement, [
    refused.map(({ reason }) => reason),
    refused.map(({ personalAgentId }) => personalAgentId),
    refused.map(({ issuer }) => issuer),
    refused.map(({ brandId }) => brandId),
    refused.map(({ count }) => count),
    refused.map(({ at }) => at),
  ])
  try {
    await pool().query(pruneStatement, [
      rows.map(({ personalAgentId }) => personalAgentId),
      rows.map(({ reason }) => reason),
    ])
  } catch (error) {
    // They are stored: to fail here would count them twice. The next time prunes these too, or time does.
    log().warn({ reason: String(error) }, 'old refused requests could not be deleted')
  }
}
