import {
  batchedStatement,
  type Columns,
  itemsOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'
import { rowHas } from '#lib/platform/row-has.ts'

/** How much earlier than its interval a poll may arrive, in milliseconds: what a network makes of a punctual one. */
const TOLERANCE = 250
/** What `slow_down` adds to the code's interval, in seconds (RFC 8628 §3.5). */
export const SLOW_DOWN = 5

/** In SQL: whether a poll of a code comes before its time. */
export const early = `
    coalesce("polledAt" > now() - "interval" * interval '1 second' + interval '${TOLERANCE} milliseconds', false)`

/** A poll, as the statement for many of them sees it. */
type Poll = { deviceCodeHash: Buffer; brandId: string; personalAgentId: string; subject: string }

const columns: Columns<Poll> = {
  deviceCodeHash: 'bytea',
  brandId: 'text',
  personalAgentId: 'uuid',
  subject: 'text',
}

const isOwn = rowHas('d', {
  brandId: 'item."brandId"',
  personalAgentId: 'item."personalAgentId"',
  subject: 'item."subject"',
})

// Batches of two processes can't wait for each other in a circle: they wait for no code.
export const pollPendingStatement: StatementOfMany<Poll> = {
  name: 'poll-pending-codes',
  columns,
  text: `
WITH ${itemsOf(columns)}, code AS (
  SELECT item."n", d."id", d."brandId", ${early} AS "early"
  FROM item JOIN "DeviceAuthorization" d ON d."deviceCodeHash" = item."deviceCodeHash" AND ${isOwn}
  WHERE d."state" = 'pending' AND d."expiresAt" > now()
  FOR NO KEY UPDATE OF d SKIP LOCKED
)
UPDATE "DeviceAuthorization" d SET "polledAt" = now(),
  "interval" = d."interval" + CASE WHEN code."early" THEN ${SLOW_DOWN} ELSE 0 END
FROM code WHERE d."id" = code."id" AND ${rowHas('d', { brandId: 'code."brandId"' })}
RETURNING code."n", code."early"`,
}

/**
 * Polls a code that its User has not decided about (RFC 8628 §3.5), in one statement with others that are polled at the
 * same moment.
 *
 * @returns whether the poll came before its time; undefined: no such code waits for a decision, or it is locked
 */
export const pollPending = batchedStatement<Poll, { early: boolean }>(pollPendingStatement)
