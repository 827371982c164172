import type { Answer, StepUp } from '#lib/agents/agent.ts'
import type { FailureCode } from '#lib/agents/failure-code.ts'
import type { Receipt } from '#lib/delegation/receipts.ts'
import {
  batchedStatement,
  type Columns,
  itemsOf,
  queryOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Turn } from './claim-turn.ts'
import type { Owner, Reply, StepUpTurn } from './conversation.ts'
import { writeState } from './remembered-states.ts'
import { closing } from './turn-sql.ts'

/** What to do about a row that another statement has locked: wait, or leave it alone. */
type WhenLocked = '' | 'SKIP LOCKED'

/**
 * §5.6: the parts of a statement that store a receipt for each row of its part `settled`. The grant's last use is told to
 * the second: more would only write the same row more often.
 *
 * @param at where the statement has the values
 * @param whenLocked of a grant: who has locked it is most often another turn that tells the same
 */
export const receiptOf = (
  at: { conversation: string; brand: string; grant: string; message: string; jws: string; claims: string },
  whenLocked: WhenLocked = '',
) => `
receipt AS (
  INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
  SELECT ${at.brand}, ${at.grant}, ${at.conversation}, ${at.message}, ${at.jws}, ${at.claims}::jsonb FROM settled
), rested AS (
  SELECT g."id" FROM settled JOIN "Grant" g ON g."id" = ${at.grant} AND ${rowHas('g', { brandId: at.brand })}
  WHERE g."lastUsedAt" IS NULL OR g."lastUsedAt" < now() - interval '1 second'
  FOR NO KEY UPDATE OF g ${whenLocked}
), used AS (
  UPDATE "Grant" g SET "lastUsedAt" = now() FROM rested WHERE g."id" = rested."id"
)`

/** A turn that has its answer, as statements see it. */
type Answered = {
  contextId: string
  brandId: string
  turnId: string
  state: string
  close: boolean
  messageRow: string
  reply: string
}
type AnsweredDelegated = Answered & { grantId: string; messageId: string; jws: string; claims: string }

const columns: Columns<Answered> = {
  contextId: 'uuid',
  brandId: 'text',
  turnId: 'uuid',
  state: 'json',
  close: 'bool',
  messageRow: 'int8',
  reply: 'text',
}
const delegatedColumns: Columns<AnsweredDelegated> = {
  ...columns,
  grantId: 'text',
  messageId: 'text',
  jws: 'text',
  claims: 'jsonb',
}

const settled = `
settled AS (
  UPDATE "Conversation" c
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = due."state", ${closing('due."close"', 'c.')}
  FROM due WHERE c."id" = due."contextId" AND ${rowHas('c', { brandId: 'due."brandId"' })}
  RETURNING due.*
)`

/** In SQL: that a conversation is in the turn of an `item`. */
const isTurns = rowHas('c', { brandId: 'item."brandId"', turnId: 'item."turnId"' })

// Where a batch skips what is locked, batches of two processes can't wait for each other in a circle.
const buildSettleStatement = (name: string, whenLocked: WhenLocked): StatementOfMany<Answered> => ({
  name,
  columns,
  text: `
WITH ${itemsOf(columns)}, due AS (
  SELECT item.* FROM item
  JOIN "Conversation" c ON c."id" = item."contextId" AND ${isTurns}
  FOR NO KEY UPDATE OF c ${whenLocked}
), ${settled}
UPDATE "Message" m SET "replyId" = settled."turnId", "replyText" = settled."reply", "repliedAt" = now()
FROM settled WHERE m."id" = settled."messageRow" AND ${rowHas('m', { brandId: 'settled."brandId"' })}
RETURNING settled."n"`,
})

const receiptOfSettled = {
  conversation: 'settled."contextId"',
  brand: 'settled."brandId"',
  grant: 'settled."grantId"',
  message: 'settled."messageId"',
  jws: 'settled."jws"',
  claims: 'settled."claims"',
}

// The grant is locked as its receipt's foreign key will lock it, so that the batch doesn't wait then.
const buildSettleDelegatedStatement = (
  name: string,
  whenLocked: WhenLocked,
): StatementOfMany<AnsweredDelegated> => ({
  name,
  columns: delegatedColumns,
  text: `
WITH ${itemsOf(delegatedColumns)}, due AS (
  SELECT item.* FROM item
  JOIN "Conversation" c ON c."id" = item."contextId" AND ${isTurns}
  JOIN "Grant" g ON g."id" = item."grantId" AND ${rowHas('g', { brandId: 'item."brandId"' })}
  FOR NO KEY UPDATE OF c ${whenLocked} FOR KEY SHARE OF g ${whenLocked}
), ${settled}, ${receiptOf(receiptOfSettled, whenLocked)}
UPDATE "Message" m SET "replyId" = settled."turnId", "replyText" = settled."reply", "repliedAt" = now(),
  "receipt" = jsonb_build_object('jws', settled."jws")
FROM settled WHERE m."id" = settled."messageRow" AND ${rowHas('m', { brandId: 'settled."brandId"' })}
RETURNING settled."n"`,
})

export const settleStatement = buildSettleStatement('settle-turn', '')
export const settleManyStatement = buildSettleStatement('settle-turns', 'SKIP LOCKED')
export const settleDelegatedStatement = buildSettleDelegatedStatement('settle-delegated-turn', '')
export const settleManyDelegatedStatement = buildSettleDelegatedStatement(
  'settle-delegated-turns',
  'SKIP LOCKED',
)

const settleMany = batchedStatement(settleManyStatement)
const settleManyDelegated = batchedStatement(settleManyDelegatedStatement)

const released = `
settled AS (
  UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now()
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', turnId: '$3' })}
  RETURNING "id"
)`

// The message's row goes, so that the same message may be sent again and then runs.
const removeMessage = `
DELETE FROM "Message" m USING settled WHERE m."id" = $4 AND ${rowHas('m', { brandId: '$2' })}`

// At the same moment as the receipt: by that the transcript knows them for one.
const kept = (message: string, calls: string, scopes: string, once?: string) => `
kept AS (
  INSERT INTO "StepUp" ("brandId", "conversationId", "messageId", "missingScopes", "calls", "askedDigest")
  SELECT $2, $1, ${message}, ${scopes}::text[], ${calls}::jsonb, ${once ?? 'NULL'} FROM settled
  ${once === undefined ? '' : 'ON CONFLICT ("conversationId", "messageId", "askedDigest") DO UPDATE SET "createdAt" = now()'}
)`

// Without a receipt and without calls, a message that asks for the same again and again is one row: of the last time.
const digestOf = (calls: string, scopes: string) =>
  `CASE WHEN ${calls}::jsonb IS NULL THEN md5(${scopes}::text[]::text) END`

const releaseStatement = { name: 'release-turn', text: `WITH ${released} ${removeMessage}` }

export const stepUpStatement = {
  name: 'step-up-turn',
  text: `WITH ${released}, ${kept('$5', '$6', '$7', digestOf('$6', '$7'))} ${removeMessage}`,
}

export const stepUpDelegatedStatement = {
  name: 'step-up-delegated-turn',
  text: `WITH ${released}, ${receiptOf({
    conversation: '$1',
    brand: '$2',
    grant: '$5',
    message: '$6',
    jws: '$7',
    claims: '$8',
  })}, ${kept('$6', '$9', '$10')} ${removeMessage}`,
}

const abandonStatement = {
  name: 'abandon-turn',
  text: `
WITH released AS (
  UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now()
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', turnId: '$3' })}
)
UPDATE "Message" SET "failure" = $5 WHERE "id" = $4 AND ${rowHas('', { brandId: '$2' })} AND "replyId" IS NULL`,
}

const noteFaultStatement = {
  name: 'note-fault-of-turn',
  text: `UPDATE "Message" SET "failure" = $3 WHERE "id" = $1 AND ${rowHas('', { brandId: '$2' })}`,
}

const closeRestedStatement = {
  name: 'close-rested-conversation',
  text: `
UPDATE "Conversation" SET "state" = 'closed', "closedBy" = 'idle', "closedAt" = now()
WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', personalAgentId: '$3', subject: '$4', state: "'open'" })}
  AND "lastActiveAt" <= now() - $5 * interval '1 millisecond' AND ("turnUntil" IS NULL OR "turnUntil" <= now())`,
}

/** §5.6: a turn's receipt, and the grant that it was made under. */
export type GrantReceipt = { grantId: string; receipt: Receipt }

/** The values of {@link receiptOf}: grant, message, JWS and claims. */
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
  const answered = { ...turn, state: writeState(answer.state), close: answer.close, reply: answer.reply }
  const stored = made
    ? await storeDelegated({ ...answered, ...nameReceipt(made) })
    : await storeAnswer(answered)
  if (!stored) return undefined
  return { contextId: turn.contextId, replyId: turn.turnId, text: answer.reply, receipt: made?.receipt }
}

/** Where the batch left the turn alone, its own statement waits for what stands in the way, or finds that it is too late. */
async function storeAnswer(answered: Answered): Promise<boolean> {
  if (await settleMany(answered)) return true
  return (await pool().query(queryOf(settleStatement, [answered]))).rowCount === 1
}

async function storeDelegated(answered: AnsweredDelegated): Promise<boolean> {
  if (await settleManyDelegated(answered)) return true
  return (await pool().query(queryOf(settleDelegatedStatement, [answered]))).rowCount === 1
}

function nameReceipt({ grantId, receipt }: GrantReceipt) {
  return { grantId, jws: receipt.jws, claims: JSON.stringify(receipt.claims) }
}

/**
 * Ends a turn in step-up (§5.5): what is left of it is its receipt, what was asked for, and what its message's next run must
 * know. One statement; the conversation stays open.
 *
 * @param made of a turn under a delegation token
 * @returns undefined when the turn's time was over and the conversation has gone on without it: nothing was stored
 */
export async function settleStepUp(
  turn: Turn,
  { missingScopes, text, forNextRun }: StepUp,
  made?: GrantReceipt,
): Promise<StepUpTurn | undefined> {
  const { contextId, brandId, turnId, messageRow, messageId } = turn
  const values = [contextId, brandId, turnId, messageRow]
  const told = [forNextRun && JSON.stringify(forNextRun), missingScopes]
  const { rowCount } = await pool().query(
    made
      ? { ...stepUpDelegatedStatement, values: [...values, ...receiptValues(turn, made), ...told] }
      : { ...stepUpStatement, values: [...values, messageId, ...told] },
  )
  return rowCount === 1 ? { contextId, missingScopes, text, receipt: made?.receipt } : undefined
}

/** Takes a turn back, in which nothing was done: its message may be sent again. The conversation stays open. */
export async function releaseTurn({ contextId, brandId, turnId, messageRow }: Turn): Promise<void> {
  await pool().query({ ...releaseStatement, values: [contextId, brandId, turnId, messageRow] })
}

/** Ends a turn without a reply: its message stays unanswered (§4.3), and the next turn may begin. @param code why */
export async function abandonTurn(turn: Turn, code: FailureCode): Promise<void> {
  const { contextId, brandId, turnId, messageRow } = turn
  await pool().query({ ...abandonStatement, values: [contextId, brandId, turnId, messageRow, code] })
}

/** Writes down what stood in the way of a better reply than the one that a turn has. @param code what */
export async function noteFault(
  { brandId, messageRow }: Pick<Turn, 'brandId' | 'messageRow'>,
  code: FailureCode,
): Promise<void> {
  await pool().query({ ...noteFaultStatement, values: [messageRow, brandId, code] })
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
