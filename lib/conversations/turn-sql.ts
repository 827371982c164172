import { rowHas } from '#lib/platform/row-has.ts'

// Pieces of SQL that the statements of turns have in common.

/** That a conversation `c` is of the Brand, the personal agent and the User of an `item`. @param state it has, too */
export const isOwn = (state?: 'open') =>
  rowHas('c', {
    brandId: 'item."brandId"',
    personalAgentId: 'item."personalAgentId"',
    subject: 'item."subject"',
    ...(state ? { state: `'${state}'` } : {}),
  })

/**
 * That the open conversation `c` of an `item` may have a turn now, and that its message was not sent before.
 *
 * The earlier message is looked for with the statement's snapshot. Where a turn of the same message began and ended after
 * it, the unique index stops the insertion and with it the whole statement: made again, it sees that message.
 */
export const isFree = `
  c."lastActiveAt" > now() - item."idleTime" * interval '1 millisecond'
  AND (c."turnUntil" IS NULL OR c."turnUntil" <= now())
  AND (c."brandUserId" = item."brandUserId" OR c."brandUserId" IS NULL OR item."brandUserId" IS NULL)
  AND NOT EXISTS (SELECT FROM "Message" m WHERE m."conversationId" = item."contextId"
    AND m."messageId" = item."messageId" AND ${rowHas('m', { brandId: 'item."brandId"' })})`

/**
 * Ends a conversation where its agent says so, unless it has ended.
 *
 * @param close that it does
 * @param row the conversation's name in the statement, with a dot
 */
export const closing = (close: string, row = '') => `
  "state" = CASE WHEN ${close} THEN 'closed' ELSE ${row}"state" END,
  "closedBy" = CASE WHEN ${close} AND ${row}"state" = 'open' THEN 'agent' ELSE ${row}"closedBy" END,
  "closedAt" = CASE WHEN ${close} AND ${row}"state" = 'open' THEN now() ELSE ${row}"closedAt" END`
