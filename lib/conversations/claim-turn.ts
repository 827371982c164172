import { randomUUID } from 'node:crypto'
import type { AgentState } from '#lib/agents/agent.ts'
import { type ReceiptClaims, readStoredReceipt } from '#lib/delegation/receipts.ts'
import {
  batchedStatement,
  type Columns,
  itemsOf,
  queryOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { CONTEXT_ID, type IncomingMessage, type Owner, type Replied, type Reply } from './conversation.ts'
import { isFree, isOwn } from './turn-sql.ts'

/** A turn that is ours to run: until it settles or its time is over, no other turn of the context begins. */
export type Turn = {
  brandId: string
  contextId: string
  /** The message's row. */
  messageRow: string
  messageId: string
  /** Names the turn, and later the reply: only the turn that the conversation still names can settle. */
  turnId: string
  state: AgentState
}

export type Claim =
  | { kind: 'claimed'; turn: Turn }
  | Replied
  /** There is a reply, and its receipt could not be signed yet (§5.6). */
  | { kind: 'unsigned'; reply: Reply; claims: ReceiptClaims }
  | { kind: 'unknown-context' }
  /** §5.5: the context has run as another Brand user. */
  | { kind: 'other-user' }
  | { kind: 'closed'; rested: boolean }
  | { kind: 'unanswered' }
  /** Another turn of this conversation runs, here or in another process. */
  | { kind: 'busy' }

/** The terms of a turn. */
type Terms = {
  /** For how long the claim keeps other turns waiting, in milliseconds. */
  turnTime: number
  /** How long a conversation may rest before it is closed, in milliseconds. */
  idleTime: number
  /** As whom it runs at the Brand (§5.5), undefined under §3. From then on the context runs as nobody else. */
  brandUserId: string | undefined
}

/** A message that asks for a turn, as statements see it. */
type Asked = {
  contextId: string
  brandId: string
  personalAgentId: string
  subject: string
  turnId: string
  turnTime: number
  messageId: string
  text: string
  brandUserId: string | undefined
}
type AskedNext = Asked & { idleTime: number; mayBegin: boolean }

const columns: Columns<Asked> = {
  contextId: 'uuid',
  brandId: 'text',
  personalAgentId: 'uuid',
  subject: 'text',
  turnId: 'uuid',
  turnTime: 'float8',
  messageId: 'text',
  text: 'text',
  brandUserId: 'text',
}
const nextColumns: Columns<AskedNext> = { ...columns, idleTime: 'float8', mayBegin: 'bool' }

export const beginStatement: StatementOfMany<Asked> = {
  name: 'begin-conversations',
  columns,
  text: `
WITH ${itemsOf(columns)}, begun AS (
  INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "turnId", "turnUntil", "brandUserId")
  SELECT "contextId", "brandId", "personalAgentId", "subject", "turnId", now() + "turnTime" * interval '1 millisecond',
    "brandUserId"
  FROM item
), claimed AS (
  INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text")
  SELECT "brandId", "contextId", "messageId", "text" FROM item
  RETURNING "id", "conversationId"
)
SELECT item."n", claimed."id" AS "messageRow" FROM item JOIN claimed ON claimed."conversationId" = item."contextId"`,
}

/**
 * In SQL: gives each `item` its turn where it may have one. Of several for one conversation one gets it, since a row is
 * updated once.
 *
 * @param locked what to do about a conversation that another statement has locked: wait, or leave it out
 */
const begunTurns = (locked: '' | 'SKIP LOCKED') => `
free AS (
  SELECT item.* FROM item JOIN "Conversation" c ON c."id" = item."contextId" AND ${isOwn('open')}
  WHERE item."mayBegin" AND ${isFree}
  FOR NO KEY UPDATE OF c ${locked}
), begun AS (
  UPDATE "Conversation" c
  SET "turnId" = free."turnId", "turnUntil" = now() + free."turnTime" * interval '1 millisecond', "lastActiveAt" = now(),
    "brandUserId" = coalesce(c."brandUserId", free."brandUserId")
  FROM free WHERE c."id" = free."contextId" AND ${rowHas('c', { brandId: 'free."brandId"' })}
  RETURNING free.*, c."agentState"
), claimed AS (
  INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text")
  SELECT "brandId", "contextId", "messageId", "text" FROM begun
  RETURNING "id", "conversationId"
)`

// What a message needs that is not answered at once. Why there is no row, the costlier statement below says. Batches of two
// processes can't wait for each other in a circle: they wait for no conversation.
export const nextTurnStatement: StatementOfMany<AskedNext> = {
  name: 'next-turns',
  columns: nextColumns,
  text: `
WITH ${itemsOf(nextColumns)}, ${begunTurns('SKIP LOCKED')}
SELECT begun."n", begun."agentState", claimed."id" AS "messageRow"
FROM begun JOIN claimed ON claimed."conversationId" = begun."contextId"`,
}

export const continueStatement: StatementOfMany<AskedNext> = {
  name: 'continue-conversation',
  columns: nextColumns,
  text: `
WITH ${itemsOf(nextColumns)}, conversation AS (
  SELECT c."state", c."lastActiveAt" <= now() - item."idleTime" * interval '1 millisecond'
      AND (c."turnUntil" IS NULL OR c."turnUntil" <= now()) AS "rested",
    coalesce(c."brandUserId" <> item."brandUserId", false) AS "otherUser"
  FROM item JOIN "Conversation" c ON c."id" = item."contextId" AND ${isOwn()}
), earlier AS (
  SELECT true AS "repeated", m."replyId", m."replyText", m."receipt"->>'jws' AS "receipt",
    m."receipt"->'unsigned' AS "unsigned"
  FROM item JOIN "Message" m ON m."conversationId" = item."contextId" AND m."messageId" = item."messageId"
    AND ${rowHas('m', { brandId: 'item."brandId"' })}
  WHERE EXISTS (SELECT FROM conversation)
), ${begunTurns('')}
SELECT conversation.*, earlier.*, begun."agentState", claimed."id" AS "messageRow"
FROM conversation LEFT JOIN earlier ON true LEFT JOIN begun ON true LEFT JOIN claimed ON true`,
}

type BegunRow = { messageRow: string }

type NextTurnRow = { messageRow: string; agentState: AgentState }

type ContinueRow = {
  state: 'open' | 'closed'
  rested: boolean
  otherUser: boolean
  repeated: true | null
  replyId: string | null
  replyText: string | null
  receipt: string | null
  unsigned: ReceiptClaims | null
  agentState: AgentState | null
  messageRow: string | null
}

const UNIQUE_VIOLATION = '23505'

const runBegin = batchedStatement<Asked, BegunRow>(beginStatement)
const runNextTurn = batchedStatement<AskedNext, NextTurnRow>(nextTurnStatement)

/** Starts a new conversation with its first message (§4.2), in one statement. The `contextId` is minted here. */
export async function claimFirstTurn(owner: Owner, message: IncomingMessage, terms: Terms): Promise<Turn> {
  const contextId = randomUUID()
  const turnId = randomUUID()
  const { messageId, text } = message
  const { turnTime, brandUserId } = terms
  const asked = { ...owner, contextId, turnId, turnTime, messageId, text, brandUserId }
  const begun = await runBegin(asked)
  return {
    brandId: owner.brandId,
    contextId,
    messageRow: String(begun?.messageRow),
    messageId,
    turnId,
    state: {},
  }
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNIQUE_VIOLATION
}

/**
 * Stores a message's turn.
 *
 * @returns what `store` gives; undefined, too, where the same message came to be stored at the same moment (§4.3)
 */
export async function undefinedIfSentTwice<T>(store: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await store()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return undefined
  }
}

async function runContinue(asked: AskedNext): Promise<ContinueRow | undefined> {
  const query = queryOf(continueStatement, [asked])
  try {
    return (await pool().query<ContinueRow>(query)).rows[0]
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return (await pool().query<ContinueRow>(query)).rows[0]
  }
}

/**
 * Claims the next turn of a conversation for a message (§4.2, §4.3), in one statement, with others that come at the same
 * moment: of two processes that try to, one gets it. A second statement tells why there is none to claim.
 *
 * @param mayBegin false: only look whether the message was sent before, because others wait in front of it
 */
export async function claimNextTurn(
  owner: Owner,
  message: IncomingMessage & { contextId: string },
  terms: Terms,
  mayBegin: boolean,
): Promise<Claim> {
  const { contextId, messageId, text } = message
  if (!CONTEXT_ID.test(contextId)) return { kind: 'unknown-context' }
  const { brandId } = owner
  const turnId = randomUUID()
  const asked = { ...owner, ...terms, contextId, turnId, messageId, text, mayBegin }
  const toTurn = (messageRow: string, state: AgentState): Claim => ({
    kind: 'claimed',
    turn: { brandId, contextId, messageRow, messageId, turnId, state },
  })
  // Where something stands in the way, the other statement tells what.
  const next = mayBegin ? await undefinedIfSentTwice(() => runNextTurn(asked)) : undefined
  if (next) return toTurn(next.messageRow, next.agentState)
  const row = await runContinue(asked)
  if (!row) return { kind: 'unknown-context' }
  if (row.otherUser) return { kind: 'other-user' }
  if (row.replyId !== null && row.replyText !== null) {
    const receipt = row.receipt === null ? undefined : readStoredReceipt(row.receipt)
    const reply = { contextId, replyId: row.replyId, text: row.replyText, receipt }
    return row.unsigned ? { kind: 'unsigned', reply, claims: row.unsigned } : { kind: 'replied', reply }
  }
  if (row.repeated) return { kind: 'unanswered' }
  const { messageRow } = row
  if (messageRow !== null) return toTurn(messageRow, row.agentState ?? {})
  if (row.state === 'closed' || row.rested) return { kind: 'closed', rested: row.state === 'open' }
  return { kind: 'busy' }
}
