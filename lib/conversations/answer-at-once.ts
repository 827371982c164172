import { randomUUID } from 'node:crypto'
import type { Agent, AgentState, Answer } from '#lib/agents/agent.ts'
import { codeFailure } from '#lib/agents/failure-code.ts'
import { answerAtOnce } from '#lib/agents/run-turn.ts'
import {
  batchedStatement,
  type Columns,
  itemsOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { CONTEXT_ID, isOwn, isUniqueViolation, mayBeginTurn } from './claim-turn.ts'
import type { IncomingMessage, Owner, Replied } from './conversation.ts'
import { findStoredState, noteStoredState, writeState } from './remembered-states.ts'
import { noteFault } from './settle-turn.ts'

/** A message and the answer to it, as statements see them. */
type Answered = {
  contextId: string
  brandId: string
  personalAgentId: string
  subject: string
  messageId: string
  text: string
  /** In milliseconds. */
  took: number
  replyId: string
  reply: string
  state: string
  close: boolean
}
type AnsweredNext = Answered & {
  brandUserId: string | undefined
  idleTime: number
  /** What the agent remembered when it answered. */
  remembered: string
}

const columns: Columns<Answered> = {
  contextId: 'uuid',
  brandId: 'text',
  personalAgentId: 'uuid',
  subject: 'text',
  messageId: 'text',
  text: 'text',
  took: 'float8',
  replyId: 'uuid',
  reply: 'text',
  state: 'json',
  close: 'bool',
}
const nextColumns: Columns<AnsweredNext> = {
  ...columns,
  brandUserId: 'text',
  idleTime: 'float8',
  remembered: 'text',
}

/** In SQL: stores the message and its reply of each row of a relation. */
const storedFrom = (relation: string) => `
stored AS (
  INSERT INTO "Message"
    ("brandId", "conversationId", "messageId", "text", "receivedAt", "replyId", "replyText", "repliedAt")
  SELECT "brandId", "contextId", "messageId", "text", now() - "took" * interval '1 millisecond', "replyId", "reply", now()
  FROM ${relation}
  RETURNING "id", "conversationId"
)
SELECT ${relation}."n", stored."id" AS "messageRow"
FROM ${relation} JOIN stored ON stored."conversationId" = ${relation}."contextId"`

export const beginAnsweredStatement: StatementOfMany<Answered> = {
  name: 'begin-answered-conversations',
  columns,
  text: `
WITH ${itemsOf(columns)}, begun AS (
  INSERT INTO "Conversation"
    ("id", "brandId", "personalAgentId", "subject", "agentState", "state", "closedBy", "closedAt")
  SELECT "contextId", "brandId", "personalAgentId", "subject", item."state",
    (CASE WHEN "close" THEN 'closed' ELSE 'open' END)::"ConversationState",
    (CASE WHEN "close" THEN 'agent' END)::"ClosedBy", CASE WHEN "close" THEN now() END
  FROM item
), ${storedFrom('item')}`,
}

// As when turns are claimed: what another statement has locked is left out, and the unique index stops a batch that holds
// a message which was sent before.
export const answerNextStatement: StatementOfMany<AnsweredNext> = {
  name: 'answer-next-turns',
  columns: nextColumns,
  text: `
WITH ${itemsOf(nextColumns)}, free AS (
  SELECT item.* FROM item JOIN "Conversation" c ON c."id" = item."contextId" AND ${isOwn('open')}
  WHERE ${mayBeginTurn} AND c."agentState"::text = item."remembered"
  FOR NO KEY UPDATE OF c SKIP LOCKED
), answered AS (
  UPDATE "Conversation" c
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = free."state",
    "state" = CASE WHEN free."close" THEN 'closed' ELSE c."state" END,
    "closedBy" = CASE WHEN free."close" THEN 'agent' ELSE c."closedBy" END,
    "closedAt" = CASE WHEN free."close" THEN now() ELSE c."closedAt" END
  FROM free WHERE c."id" = free."contextId" AND ${rowHas('c', { brandId: 'free."brandId"' })}
  RETURNING free.*
), ${storedFrom('answered')}`,
}

type StoredRow = { messageRow: string }

const runBegin = batchedStatement<Answered, StoredRow>(beginAnsweredStatement)
const runNext = batchedStatement<AnsweredNext, StoredRow>(answerNextStatement)

/** What was made of a message, ready to be stored. */
type Made = { answer: Answer; answered: Answered }

function make(
  owner: Owner,
  { messageId, text }: IncomingMessage,
  agent: Agent,
  conversation: { contextId: string; state: AgentState },
): Made | undefined {
  const begunAt = performance.now()
  const answer = answerAtOnce(agent, { text, state: conversation.state })
  if (!answer) return undefined
  const { reply, close } = answer
  const state = writeState(answer.state)
  const { contextId } = conversation
  const took = performance.now() - begunAt
  const replyId = randomUUID()
  return { answer, answered: { ...owner, contextId, messageId, text, took, replyId, reply, state, close } }
}

/** What went wrong is for the console: a reply that is stored is not lost with it. */
async function toResult({ answer, answered }: Made, { messageRow }: StoredRow): Promise<Replied> {
  const { brandId, contextId, replyId, reply, state } = answered
  const { fault } = answer
  noteStoredState(answered, state)
  if (fault !== undefined) await noteFault({ brandId, messageRow }, codeFailure(fault)).catch(() => {})
  return { kind: 'replied', reply: { contextId, replyId, text: reply, receipt: undefined }, fault }
}

/**
 * Starts a conversation whose first message the agent answers at once (§4.2): conversation, message and reply are stored
 * together, in one statement. Nothing is stored of a message that fails.
 *
 * @returns undefined where the turn has to be claimed and run; nothing was stored then
 */
export async function answerFirstAtOnce(
  owner: Owner,
  message: IncomingMessage,
  agent: Agent,
): Promise<Replied | undefined> {
  const made = make(owner, message, agent, { contextId: randomUUID(), state: {} })
  if (!made) return undefined
  const row = await runBegin(made.answered)
  if (!row) throw new Error('The conversation was not stored')
  return toResult(made, row)
}

async function storeNext(answered: AnsweredNext): Promise<StoredRow | undefined> {
  try {
    return await runNext(answered)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return undefined
  }
}

/**
 * Answers a conversation's next message at once, from what the agent remembered when this process last stored it: message
 * and reply are stored in one statement, if the conversation may have a turn now and the agent remembers still the same.
 *
 * @param idleTime how long a conversation may rest before it is closed, in milliseconds
 * @returns undefined where the turn has to be claimed and run, or may not begin; nothing was stored then
 */
export async function answerNextAtOnce(
  owner: Owner,
  message: IncomingMessage & { contextId: string },
  { agent, idleTime }: { agent: Agent; idleTime: number },
): Promise<Replied | undefined> {
  const { contextId } = message
  const { brandId } = owner
  if (!agent.answerAtOnce || !CONTEXT_ID.test(contextId)) return undefined
  const remembered = findStoredState({ brandId, contextId })
  if (remembered === undefined) return undefined
  const made = make(owner, message, agent, { contextId, state: JSON.parse(remembered) })
  const asked = made && { ...made.answered, brandUserId: undefined, idleTime, remembered }
  const row = asked && (await storeNext(asked))
  return row && toResult(made, row)
}
