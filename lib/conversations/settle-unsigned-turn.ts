import type { Answer } from '#lib/agents/agent.ts'
import type { ReceiptClaims } from '#lib/delegation/receipts.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Turn } from './claim-turn.ts'
import { writeState } from './remembered-states.ts'
import { closing } from './turn-sql.ts'

// The conversation may have gone on: then it stays as it is, and the message has its reply all the same.
export const settleUnsignedStatement = {
  name: 'settle-unsigned-turn',
  text: `
WITH settled AS (
  UPDATE "Conversation"
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = $5, ${closing('$6')}
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', turnId: '$3' })}
)
UPDATE "Message"
SET "replyId" = $3, "replyText" = $7, "repliedAt" = now(), "receipt" = jsonb_build_object('unsigned', $8::jsonb)
WHERE "id" = $4 AND ${rowHas('', { brandId: '$2', conversationId: '$1' })} AND "replyId" IS NULL`,
}

/**
 * Stores the reply of a turn whose receipt could not be signed, with what the receipt says (§5.6): what was done is on
 * record and is not done again, and whoever repeats the message gets the reply once its receipt can be signed. One statement,
 * also for a turn whose time is over.
 */
export async function settleUnsignedTurn(
  { contextId, brandId, turnId, messageRow }: Turn,
  { state, close, reply }: Pick<Answer, 'state' | 'close' | 'reply'>,
  claims: ReceiptClaims,
): Promise<void> {
  const [remembered, said] = [writeState(state), JSON.stringify(claims)]
  await pool().query({
    ...settleUnsignedStatement,
    values: [contextId, brandId, turnId, messageRow, remembered, close, reply, said],
  })
}
