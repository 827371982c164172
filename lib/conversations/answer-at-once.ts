import { randomUUID } from 'node:crypto'
import type { Agent, AgentState, Answer } from '#lib/agents/agent.ts'
import { answerAtOnce } from '#lib/agents/run-turn.ts'
import {
  batchedStatement,
  type Columns,
  itemsOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { type Claim, undefinedIfSentTwice } from './claim-turn.ts'
import { CONTEXT_ID, type IncomingMessage, type Owner, type Replied } from './conversation.ts'
import { findStoredState, noteStoredState, writeState } from './remembered-states.ts'
import { replied } from './settle-outcome.ts'
import { closing, isFree, isOwn } from './turn-sql.ts'

/** A message and the answer to it, as statements see them. */
type MessageAnswered = {
  contextId: string
  brandId: string
  personalAgentId: string
  subject: string
  messageId: string
  text: string
  /** How long the answer took, in milliseconds. */
  took: number
  /** Names the turn, and the reply. */
  turnId: string
  reply: string
  state: string
  close: boolean
}
type NextAnswered = MessageAnswered & {
  turnTime: number
  brandUserId: string | undefined
  idleTime: number
  /** What the agent remembered when it answered. */
  remembered: string
}

const columns: Columns<MessageAnswered> = {
  contextId: 'uuid',
  brandId: 'text',
  personalAgentId: 'uuid',
  subject: 'text',
  messageId: 'text',
  text: 'text',
  took: 'float8',
  turnId: 'uuid',
  reply: 'text',
  state: 'json',
  close: 'bool',
}
const nextColumns: Columns<NextAnswered> = {
  ...columns,
  turnTime: 'float8',
  brandUserId: 'text',
  idleTime: 'float8',
  remembered: 'text',
}

/** In SQL: stores the message of each row of a relation, with its reply where it is `answered`. */
const storedFrom = (relation: string, answered: string) => `
stored AS (
  INSERT INTO "Message"
    ("brandId", "conversationId", "messageId", "text", "receivedAt", "replyId", "replyText", "repliedAt")
  SELECT "brandId", "contextId", "messageId", "text", now() - "took" * interval '1 millisecond',
    CASE WHEN ${answered} THEN "turnId" END, CASE WHEN ${answered} THEN "reply" END, CASE WHEN ${answered} THEN now() END
  FROM ${relation}
  RETURNING "id", "conversationId"
)`

export const beginAnsweredStatement: StatementOfMany<MessageAnswered> = {
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
), ${storedFrom('item', 'true')}
SELECT item."n", stored."id" AS "messageRow" FROM item JOIN stored ON stored."conversationId" = item."contextId"`,
}

// What another statement has locked is left out: batches of two processes can't wait for each other in a circle.
export const answerNextStatement: StatementOfMany<NextAnswered> = {
  name: 'answer-next-turns',
  columns: nextColumns,
  text: `
WITH ${itemsOf(nextColumns)}, free AS (
  SELECT item.*, c."agentState"::text = item."remembered" AS "fits"
  FROM item JOIN "Conversation" c ON c."id" = item."contextId" AND ${isOwn('open')}
  WHERE ${isFree}
  FOR NO KEY UPDATE OF c SKIP LOCKED
), begun AS (
  UPDATE "Conversation" c
  SET "turnId" = CASE WHEN NOT free."fits" THEN free."turnId" END,
    "turnUntil" = CASE WHEN NOT free."fits" THEN now() + free."turnTime" * interval '1 millisecond' END,
    "agentState" = CASE WHEN free."fits" THEN free."state" ELSE c."agentState" END,
    "lastActiveAt" = now(), ${closing('(free."fits" AND free."close")', 'c.')}
  FROM free WHERE c."id" = free."contextId" AND ${rowHas('c', { brandId: 'free."brandId"' })}
  RETURNING free.*, c."agentState"
), ${storedFrom('begun', '"fits"')}
SELECT begun."n", begun."fits", begun."agentState", stored."id" AS "messageRow"
FROM begun JOIN stored ON stored."conversationId" = begun."contextId"`,
}

type BegunRow = { messageRow: string }
type NextRow = { messageRow: string; fits: boolean; agentState: AgentState }

const runBegin = batchedStatement<MessageAnswered, BegunRow>(beginAnsweredStatement)
const runNext = batchedStatement<NextAnswered, NextRow>(answerNextStatement)

/** An answer, and all that is to be stored with it. */
type Prepared = { answer: Answer; answered: MessageAnswered }

function prepareAnswer(
  owner: Owner,
  { messageId, text }: IncomingMessage,
  agent: Agent,
  conversation: { contextId: string; state: AgentState },
): Prepared | undefined {
  const begunAt = performance.now()
  const answer = answerAtOnce(agent, { text, state: conversation.state })
  if (!answer) return undefined
  const { reply, close } = answer
  const { contextId } = conversation
  const state = writeState(answer.state)
  const took = performance.now() - begunAt
  const turnId = randomUUID()
  return { answer, answered: { ...owner, contextId, messageId, text, took, turnId, reply, state, close } }
}

function tellStored(owner: Owner, { answer, answered }: Prepared, messageRow: string): Promise<Replied> {
  const { brandId, contextId, turnId, reply, state, close } = answered
  noteStoredState(owner, contextId, close ? undefined : state)
  const made = { contextId, replyId: turnId, text: reply, receipt: undefined }
  return replied({ brandId, messageRow }, made, answer.fault)
}

/**
 * Starts a conversation whose first message the agent answers at once (§4.2): conversation, message and reply are stored
 * together, in one statement.
 *
 * @returns undefined where the turn has to be claimed and run; nothing was stored then
 * @throws when the database fails: all of it was stored, or nothing
 */
export async function answerFirstAtOnce(
  owner: Owner,
  message: IncomingMessage,
  agent: Agent,
): Promise<Replied | undefined> {
  const prepared = prepareAnswer(owner, message, agent, { contextId: randomUUID(), state: {} })
  if (!prepared) return undefined
  const row = await runBegin(prepared.answered)
  if (!row) throw new Error('The conversation was not stored')
  return tellStored(owner, prepared, row.messageRow)
}

/**
 * Answers a conversation's next message at once, from what the agent remembered when this process last stored it: message
 * and reply are stored in one statement, if the conversation may have a turn now and the agent remembers still the same. Where
 * it remembers something else, as another process has stored it, the same statement claims the turn.
 *
 * The answer to a message that was sent before, or that may have no turn, is thrown away: nobody sees it.
 *
 * @param terms.turnTime for how long a claim keeps other turns waiting, in milliseconds
 * @param terms.idleTime how long a conversation may rest before it is closed, in milliseconds
 * @returns undefined where the turn has to be claimed, or may not begin; nothing was stored then
 * @throws when the database fails: message and reply were stored, or nothing
 */
export async function answerNextAtOnce(
  owner: Owner,
  message: IncomingMessage & { contextId: string },
  agent: Agent,
  terms: { turnTime: number; idleTime: number },
): Promise<Extract<Claim, { kind: 'claimed' | 'replied' }> | undefined> {
  const { contextId, messageId } = message
  if (!agent.answerAtOnce || !CONTEXT_ID.test(contextId)) return undefined
  const remembered = findStoredState(owner, contextId)
  if (remembered === undefined) return undefined
  const prepared = prepareAnswer(owner, message, agent, { contextId, state: JSON.parse(remembered) })
  if (!prepared) return undefined
  const { turnTime, idleTime } = terms
  const asked = { ...prepared.answered, turnTime, idleTime, brandUserId: undefined, remembered }
  const row = await undefinedIfSentTwice(() => runNext(asked))
  if (!row) return undefined
  const { messageRow, fits, agentState } = row
  if (fits) return tellStored(owner, prepared, messageRow)
  const { brandId } = owner
  const { turnId } = prepared.answered
  return { kind: 'claimed', turn: { brandId, contextId, messageRow, messageId, turnId, state: agentState } }
}
