import type { Answer } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Turn } from './claim-turn.ts'
import type { Reply } from './conversation.ts'
import { type GrantReceipt, receiptOf, receiptValues } from './settle-turn.ts'

// The conversation may have gone on: of it only the claim is given up, and what the agent remembers stays what it is.
const released = `
released AS (
  UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', turnId: '$3' })}
)`

export const settleLateStatement = {
  name: 'settle-late-turn',
  text: `
WITH ${released}
UPDATE "Message" SET "replyId" = $3, "replyText" = $5, "repliedAt" = now(), "failure" = NULL
WHERE "id" = $4 AND ${rowHas('', { brandId: '$2', conversationId: '$1' })} AND "replyId" IS NULL`,
}

export const settleLateDelegatedStatement = {
  name: 'settle-late-delegated-turn',
  text: `
WITH ${released}, settled AS (
  UPDATE "Message"
  SET "replyId" = $3, "replyText" = $5, "repliedAt" = now(), "failure" = NULL,
    "receipt" = jsonb_build_object('jws', $8::text)
  WHERE "id" = $4 AND ${rowHas('', { brandId: '$2', conversationId: '$1' })} AND "replyId" IS NULL
  RETURNING "id"
), ${receiptOf({
    conversation: '$1',
    brand: '$2',
    grant: '$6',
    message: '$7',
    jws: '$8',
    claims: '$9',
  })}
SELECT FROM settled`,
}

/**
 * Stores the reply and the receipt of a turn whose conversation may have gone on without it: what it did at the Brand has
 * happened, and its message must not stay unanswered. One statement.
 *
 * @param made of a turn under a delegation token
 * @returns undefined when the message has its reply, or is gone
 */
export async function settleLateTurn(
  turn: Turn,
  { reply }: Answer,
  made?: GrantReceipt,
): Promise<Reply | undefined> {
  const { contextId, brandId, turnId, messageRow } = turn
  const values = [contextId, brandId, turnId, messageRow, reply]
  const { rowCount } = await pool().query(
    made
      ? { ...settleLateDelegatedStatement, values: [...values, ...receiptValues(turn, made)] }
      : { ...settleLateStatement, values },
  )
  return rowCount === 1 ? { contextId, replyId: turnId, text: reply, receipt: made?.receipt } : undefined
}
