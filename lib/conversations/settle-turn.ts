import type { Answer, StepUp } from '#lib/agents/agent.ts'
import type { Receipt } from '#lib/delegation/receipts.ts'
import { pool } from '#lib/platform/database.ts'
import type { Turn } from './claim-turn.ts'
import type { Owner, Reply, StepUpTurn } from './conversation.ts'

const settled = `
settled AS (
  UPDATE "Conversation"
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = $4,
    "state" = CASE WHEN $5 THEN 'closed' ELSE "state" END,
    "closedBy" = CASE WHEN $5 AND "state" = 'open' THEN 'agent' ELSE "closedBy" END,
    "closedAt" = CASE WHEN $5 AND "state" = 'open' THEN now() ELSE "closedAt" END
  WHERE "id" = $1 AND "brandId" = $2 AND "turnId" = $3
  RETURNING "id"
)`

export const settleStatement = {
  name: 'settle-turn',
  text: `
WITH ${settled}
UPDATE "Message" SET "replyId" = $3, "replyText" = $7, "repliedAt" = now()
FROM settled WHERE "Message"."id" = $6 AND "Message"."brandId" = $2`,
}

/**
 * §5.6: the parts of a statement that store a receipt, where its part `settled` has a row. `$1` is the conversation, `$2`
 * the Brand. The grant's last use is told to the second: more would only write the same row more often.
 */
export const receiptOf = (grant: string, message: string, jws: string, claims: string) => `
receipt AS (
  INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
  SELECT $2, ${grant}, $1, ${message}, ${jws}, ${claims}::jsonb FROM settled
), used AS (
  UPDATE "Grant" SET "lastUsedAt" = now() FROM settled
  WHERE "Grant"."id" = ${grant} AND "Grant"."brandId" = $2
    AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 second')
)`

export const settleDelegatedStatement = {
  name: 'settle-delegated-turn',
  text: `
WITH ${settled}, ${receiptOf('$8', '$9', '$10', '$11')}
UPDATE "Message"
SET "replyId" = $3, "replyText" = $7, "repliedAt" = now(), "receipt" = jsonb_build_object('jws', $10::text)
FROM settled WHERE "Message"."id" = $6 AND "Message"."brandId" = $2`,
}

const released = `
settled AS (
  UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now()
  WHERE "id" = $1 AND "brandId" = $2 AND "turnId" = $3
  RETURNING "id"
)`

// The message's row goes, so that the same message may be sent again and then runs.
const removeMessage = `
DELETE FROM "Message" USING settled WHERE "Message"."id" = $4 AND "Message"."brandId" = $2`

export const stepUpStatement = { name: 'step-up-turn', text: `WITH ${released} ${removeMessage}` }

export const stepUpDelegatedStatement = {
  name: 'step-up-delegated-turn',
  text: `WITH ${released}, ${receiptOf('$5', '$6', '$7', '$8')} ${removeMessage}`,
}

const abandonStatement = {
  name: 'abandon-turn',
  text: `
UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now()
WHERE "id" = $1 AND "brandId" = $2 AND "turnId" = $3`,
}

const closeRestedStatement = {
  name: 'close-rested-conversation',
  text: `
UPDATE "Conversation" SET "state" = 'closed', "closedBy" = 'idle', "closedAt" = now()
WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4 AND "state" = 'open'
  AND "lastActiveAt" <= now() - $5 * interval '1 millisecond' AND ("turnUntil" IS NULL OR "turnUntil" <= now())`,
}

/** §5.6: a turn's receipt, and the grant that it was made under. */
export type GrantReceipt = { grantId: string; receipt: Receipt }

/** The values of {@link receiptOf}, in its order. */
export function receiptValues(
  { messageId }: Pick<Turn, 'messageId'>,
  { grantId, receipt }: GrantReceipt,
): unknown[] {
  return [grantId, messageId, receipt.jws, JSON.stringify(receipt.claims)]
}

/**
 * Stores a turn's reply, its receipt and what the agent remembers, and lets the next turn begin: one statement.
 *
 * @param made of a turn under a delegation token
 * @returns undefined when the turn's time was over and the conversation has gone on without it: nothing was stored
 */
export async function settleTurn(
  turn: Turn,
  answer: Answer,
  made?: GrantReceipt,
): Promise<Reply | undefined> {
  const { contextId, brandId, turnId, messageRow } = turn
  const state = JSON.stringify(answer.state)
  const values = [contextId, brandId, turnId, state, answer.close, messageRow, answer.reply]
  const { rowCount } = await pool().query(
    made
      ? { ...settleDelegatedStatement, values: [...values, ...receiptValues(turn, made)] }
      : { ...settleStatement, values },
  )
  if (rowCount !== 1) return undefined
  return { contextId, replyId: turnId, text: answer.reply, receipt: made?.receipt }
}

/**
 * Ends a turn in step-up (§5.5): what is left of it is its receipt. One statement; the conversation stays open.
 *
 * @param made of a turn under a delegation token
 * @returns undefined when the turn's time was over and the conversation has gone on without it: nothing was stored
 */
export async function settleStepUp(
  turn: Turn,
  { missingScopes, text }: StepUp,
  made?: GrantReceipt,
): Promise<StepUpTurn | undefined> {
  const { contextId, brandId, turnId, messageRow } = turn
  const values = [contextId, brandId, turnId, messageRow]
  const { rowCount } = await pool().query(
    made
      ? { ...stepUpDelegatedStatement, values: [...values, ...receiptValues(turn, made)] }
      : { ...stepUpStatement, values },
  )
  return rowCount === 1 ? { contextId, missingScopes, text, receipt: made?.receipt } : undefined
}

/** Takes a turn back, in which nothing was done: its message may be sent again. The conversation stays open. */
export async function releaseTurn({ contextId, brandId, turnId, messageRow }: Turn): Promise<void> {
  await pool().query({ ...stepUpStatement, values: [contextId, brandId, turnId, messageRow] })
}

/** Ends a turn without a reply: its message stays unanswered (§4.3), and the next turn may begin. */
export async function abandonTurn(turn: Turn): Promise<void> {
  await pool().query({ ...abandonStatement, values: [turn.contextId, turn.brandId, turn.turnId] })
}

/** Writes down that a conversation rested too long, so that it stays closed whatever the Brand's idle time becomes. */
export async function closeRestedConversation(
  owner: Owner,
  contextId: string,
  idleTime: number,
): Promise<void> {
  const { brandId, personalAgentId, subject } = owner
  await pool().query({
    ...closeRestedStatement,
    values: [contextId, brandId, personalAgentId, subject, idleTime],
  })
}
