import { randomUUID } from 'node:crypto'
import type { AgentState } from '#lib/agents/agent.ts'
import { readStoredReceipt } from '#lib/delegation/receipts.ts'
import { pool } from '#lib/platform/database.ts'
import type { IncomingMessage, Owner, Reply } from './conversation.ts'

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
  | { kind: 'replied'; reply: Reply }
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

export const beginStatement = {
  name: 'begin-conversation',
  text: `
WITH conversation AS (
  INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "turnId", "turnUntil", "brandUserId")
  VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond', $9)
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text") VALUES ($2, $1, $7, $8)
RETURNING "id"`,
}

// The earlier message is looked for with the statement's snapshot. Where a turn of the same message began and ended after
// it, the unique index stops the insertion and with it the whole statement: it is then made again, and sees that message.
const begun = `
begun AS (
  UPDATE "Conversation"
  SET "turnId" = $5, "turnUntil" = now() + $6 * interval '1 millisecond', "lastActiveAt" = now(),
    "brandUserId" = coalesce("brandUserId", $11)
  WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4 AND $10
    AND "state" = 'open' AND "lastActiveAt" > now() - $9 * interval '1 millisecond'
    AND ("turnUntil" IS NULL OR "turnUntil" <= now())
    AND ("brandUserId" = $11 OR "brandUserId" IS NULL OR $11 IS NULL)
    AND NOT EXISTS (SELECT FROM "Message" WHERE "conversationId" = $1 AND "messageId" = $7 AND "brandId" = $2)
  RETURNING "agentState"
)`

const insertMessage = `
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text") SELECT $2, $1, $7, $8 FROM begun`

// What nearly every message needs. Why there is no row, the costlier statement below says.
export const nextTurnStatement = {
  name: 'next-turn',
  text: `WITH ${begun} ${insertMessage} RETURNING "id" AS "messageRow", (SELECT "agentState" FROM begun)`,
}

export const continueStatement = {
  name: 'continue-conversation',
  text: `
WITH conversation AS (
  SELECT "state", "lastActiveAt" <= now() - $9 * interval '1 millisecond'
      AND ("turnUntil" IS NULL OR "turnUntil" <= now()) AS "rested",
    coalesce("brandUserId" <> $11, false) AS "otherUser"
  FROM "Conversation"
  WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4
), earlier AS (
  SELECT true AS "repeated", "replyId", "replyText", "receipt"->>'jws' AS "receipt" FROM "Message"
  WHERE "conversationId" = $1 AND "messageId" = $7 AND "brandId" = $2 AND EXISTS (SELECT FROM conversation)
), ${begun}, claimed AS (${insertMessage} RETURNING "id")
SELECT conversation.*, earlier.*, begun."agentState", claimed."id" AS "messageRow"
FROM conversation LEFT JOIN earlier ON true LEFT JOIN begun ON true LEFT JOIN claimed ON true`,
}

type NextTurnRow = { messageRow: string; agentState: AgentState }

type ContinueRow = {
  state: 'open' | 'closed'
  rested: boolean
  otherUser: boolean
  repeated: true | null
  replyId: string | null
  replyText: string | null
  receipt: string | null
  agentState: AgentState | null
  messageRow: string | null
}

const UNIQUE_VIOLATION = '23505'

/** Only what {@link claimFirstTurn} can have minted names a context: compared as it is, in lower case. */
const CONTEXT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Starts a new conversation with its first message (§4.2), in one statement. The `contextId` is minted here. */
export async function claimFirstTurn(owner: Owner, message: IncomingMessage, terms: Terms): Promise<Turn> {
  const contextId = randomUUID()
  const turnId = randomUUID()
  const { brandId, personalAgentId, subject } = owner
  const { rows } = await pool().query<{ id: string }>({
    ...beginStatement,
    values: [
      contextId,
      brandId,
      personalAgentId,
      subject,
      turnId,
      terms.turnTime,
      message.messageId,
      message.text,
      terms.brandUserId,
    ],
  })
  const { messageId } = message
  return { brandId, contextId, messageRow: String(rows[0]?.id), messageId, turnId, state: {} }
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNIQUE_VIOLATION
}

/** @returns undefined where something stands in the way, which {@link runContinueStatement} tells */
async function runNextTurnStatement(values: unknown[]): Promise<NextTurnRow | undefined> {
  try {
    return (await pool().query<NextTurnRow>({ ...nextTurnStatement, values })).rows[0]
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return undefined
  }
}

async function runContinueStatement(values: unknown[]): Promise<ContinueRow | undefined> {
  try {
    return (await pool().query<ContinueRow>({ ...continueStatement, values })).rows[0]
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return (await pool().query<ContinueRow>({ ...continueStatement, values })).rows[0]
  }
}

/**
 * Claims the next turn of a conversation for a message (§4.2, §4.3), in one statement: of two processes that try at the
 * same moment, one gets it. A second statement tells why there is none to claim.
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
  const { brandId, personalAgentId, subject } = owner
  const turnId = randomUUID()
  const values = [
    contextId,
    brandId,
    personalAgentId,
    subject,
    turnId,
    terms.turnTime,
    messageId,
    text,
    terms.idleTime,
    mayBegin,
    terms.brandUserId,
  ]
  const toTurn = ({ messageRow, agentState }: NextTurnRow): Claim => ({
    kind: 'claimed',
    turn: { brandId, contextId, messageRow, messageId, turnId, state: agentState },
  })
  const next = mayBegin ? await runNextTurnStatement(values) : undefined
  if (next) return toTurn(next)
  const row = await runContinueStatement(values)
  if (!row) return { kind: 'unknown-context' }
  if (row.otherUser) return { kind: 'other-user' }
  if (row.replyId !== null && row.replyText !== null) {
    const receipt = row.receipt === null ? undefined : readStoredReceipt(row.receipt)
    return { kind: 'replied', reply: { contextId, replyId: row.replyId, text: row.replyText, receipt } }
  }
  if (row.repeated) return { kind: 'unanswered' }
  const { messageRow } = row
  if (messageRow !== null) return toTurn({ messageRow, agentState: row.agentState ?? {} })
  if (row.state === 'closed' || row.rested) return { kind: 'closed', rested: row.state === 'open' }
  return { kind: 'busy' }
}
