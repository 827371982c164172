import { pool } from '#lib/platform/database.ts'
import { BATCH, inBatches } from '#lib/platform/in-batches.ts'
import { repeat } from '#lib/platform/repeat.ts'

/** Milliseconds between two cleanings of one process. */
const EVERY = 60_000
/** Only one process cleans at a time. */
const CLEANING_LOCK = 4_176_730

/** `since`: from when on the time is counted, where it is not `expiresAt`. */
type Perishable = { table: string; since?: string; keptFor: string }

/** What is deleted, and how long after its time: a poll that comes late still hears `expired_token` (RFC 8628 §3.5). */
const perishables: readonly Perishable[] = [
  { table: 'DeviceAuthorization', keptFor: '1 day' },
  { table: 'RefreshToken', keptFor: '1 day' },
  // A login assertion may still be accepted for the clock skew after its end.
  { table: 'UsedAssertion', keptFor: '10 minutes' },
  { table: 'LoginTest', keptFor: '1 hour' },
  { table: 'UserSession', keptFor: '0 seconds' },
  // What the console's API has answered: whoever repeats a request does so within a day.
  { table: 'IdempotentAnswer', since: 'createdAt', keptFor: '24 hours' },
  // Longer than the API looks back, and than a year is compared with the last one.
  { table: 'TrafficHour', since: 'hour', keptFor: '400 days' },
  { table: 'TrafficDay', since: 'day', keptFor: '400 days' },
  { table: 'RefusedRequests', since: 'hour', keptFor: '90 days' },
  { table: 'RefusedDay', since: 'day', keptFor: '90 days' },
]

/**
 * The statement that deletes one batch of a table's rows, the oldest first. By their places: found by their keys, a batch of
 * a large table may be looked for in all of it.
 */
function buildCleaningStatement({ table, since = 'expiresAt', keptFor }: Perishable) {
  return {
    name: `clean-${table}`,
    text: `
WITH cleaner AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${CLEANING_LOCK}) AS "alone")
DELETE FROM "${table}" WHERE (SELECT "alone" FROM cleaner) AND ctid = ANY (ARRAY(
  SELECT ctid FROM "${table}" WHERE "${since}" < now() - interval '${keptFor}' ORDER BY "${since}" LIMIT ${BATCH}))`,
  }
}

/** The statements of one cleaning, one for each table. */
export const cleaningStatements = perishables.map(buildCleaningStatement)

/** Deletes what has expired long enough ago, in small batches. While another process cleans, nothing. */
export async function cleanExpired(): Promise<void> {
  for (const statement of cleaningStatements) {
    await inBatches(async () => (await pool().query(statement)).rowCount ?? 0)
  }
}

/** Cleans every minute. @returns what ends it */
export function startCleaning(): () => void {
  return repeat(cleanExpired, { every: EVERY, failure: 'expired rows could not be deleted' })
}
