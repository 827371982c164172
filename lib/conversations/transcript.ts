import type { Viewer } from '#lib/access/permissions.ts'
import { type FailureCode, readFailureCode } from '#lib/agents/failure-code.ts'
import { type ReceiptClaims, readStoredReceipt, withoutArguments } from '#lib/delegation/receipts.ts'
import { pool } from '#lib/platform/database.ts'
import { type ConversationDetail, getConversation } from './find-conversation.ts'
import { type ShownText, showText } from './masking.ts'

/** Messages on one page of a transcript. */
const MESSAGES = 100
/** Step-ups on it at most: a message may have had very many. */
const STEP_UPS = 500

/** What was done in a turn, as its receipt says (§5.6). It is not verified here. */
export type TurnReceipt = { id: string; claims: ReceiptClaims }

/** What happened in a conversation, in its order. */
export type TranscriptEntry =
  | {
      kind: 'turn'
      /** The message's row: names the entry on the page. */
      id: string
      messageId: string
      receivedAt: Date
      text: ShownText
      /** Undefined: it is unanswered (§4.3), or its turn still runs. */
      reply: { text: ShownText; at: Date; milliseconds: number } | undefined
      running: boolean
      /** Why there is no reply, or what stood in the way of a better one; undefined where nothing did, or nobody could write it. */
      failure: FailureCode | undefined
      receipt: TurnReceipt | undefined
      /** Its receipt could not be signed: the caller has not got the reply, and gets both by sending the message again. */
      unsigned: boolean
    }
  | {
      /** §5.5: permission was missing. */
      kind: 'step-up'
      /** Its receipt's; `asked-` and a number where it has none. */
      id: string
      messageId: string
      /** The last time, where a message without a token has asked for the same again. */
      at: Date
      /** What the User was asked for; undefined: it was not written down yet when this happened. */
      missingScopes: string[] | undefined
      /** Undefined: there was no token. */
      receipt: TurnReceipt | undefined
    }

export type Transcript = {
  conversation: ConversationDetail
  entries: TranscriptEntry[]
  /** Which message the next page comes after. */
  next: string | undefined
  /** It is not the first page. */
  continued: boolean
  /** There were more step-ups than are listed. */
  cut: boolean
}

type MessageRow = {
  id: string
  messageId: string
  text: string | null
  length: number
  replyText: string | null
  replyLength: number
  purged: boolean
  receivedAt: Date
  repliedAt: Date | null
  jws: string | null
  unsigned: boolean
  failure: string | null
}
type ReceiptRow = { id: string; jws: string }
type StepUpRow = {
  id: string
  messageId: string
  at: Date
  missingScopes: string[] | null
  receiptId: string | null
  jws: string | null
}

// What a viewer may not read never leaves the database.
export const messagesStatement = {
  name: 'messages-of-transcript',
  text: `
SELECT "id", "messageId", CASE WHEN $4 THEN NULL ELSE "text" END AS "text", char_length("text") AS "length",
  CASE WHEN $4 THEN NULL ELSE "replyText" END AS "replyText", coalesce(char_length("replyText"), 0) AS "replyLength",
  "purgedAt" IS NOT NULL AS "purged", "receivedAt", "repliedAt", "receipt"->>'jws' AS "jws",
  coalesce("receipt" ? 'unsigned', false) AS "unsigned", "failure"
FROM "Message" WHERE "conversationId" = $1 AND "brandId" = $2 AND "id" > $3 ORDER BY "id" LIMIT ${MESSAGES + 1}`,
}

export const repliesReceiptsStatement = {
  name: 'receipts-of-replies',
  text: `
SELECT "id", "jws" FROM "Receipt"
WHERE "conversationId" = $1 AND "brandId" = $2 AND "jws" = ANY ($3::text[])`,
}

// Of replies, the message has its receipt: what no message of the conversation has was a step-up's. A step-up and its receipt
// are of one statement, and so of one moment. Some have only one of them: there was no token, or they are older than this.
export const stepUpsStatement = {
  name: 'step-ups-of-transcript',
  text: `
WITH signed AS (
  SELECT "id", "messageId", "jws", "issuedAt" AS "at" FROM "Receipt" r
  WHERE "conversationId" = $1 AND "brandId" = $2 AND "issuedAt" >= $3 AND "issuedAt" < $4
    AND NOT EXISTS (
      SELECT FROM "Message" m WHERE m."conversationId" = r."conversationId" AND m."messageId" = r."messageId"
        AND m."brandId" = r."brandId" AND m."receipt"->>'jws' = r."jws")
  ORDER BY "issuedAt", "id" LIMIT ${STEP_UPS + 1}
), asked AS (
  SELECT "id", "messageId", nullif("missingScopes", '{}') AS "missingScopes", "createdAt" AS "at" FROM "StepUp"
  WHERE "conversationId" = $1 AND "brandId" = $2 AND "createdAt" >= $3 AND "createdAt" < $4
  ORDER BY "createdAt", "id" LIMIT ${STEP_UPS + 1}
)
SELECT coalesce(signed."id"::text, 'asked-' || asked."id") AS "id", "messageId", "at", "missingScopes",
  signed."id"::text AS "receiptId", "jws"
FROM signed FULL JOIN asked USING ("messageId", "at")
ORDER BY "at", signed."id", asked."id" LIMIT ${STEP_UPS + 1}`,
}

function toTurn(row: MessageRow, running: boolean, receipt: TurnReceipt | undefined): TranscriptEntry {
  const { id, messageId, text, length, purged, receivedAt, repliedAt } = row
  return {
    kind: 'turn',
    id,
    messageId,
    receivedAt,
    text: showText({ text, length, purged }),
    reply: repliedAt
      ? {
          text: showText({ text: row.replyText, length: row.replyLength, purged }),
          at: repliedAt,
          milliseconds: repliedAt.getTime() - receivedAt.getTime(),
        }
      : undefined,
    running: running && !repliedAt,
    failure: readFailureCode(row.failure),
    receipt,
    unsigned: row.unsigned,
  }
}

function toStepUp({ receiptId, jws, missingScopes, ...row }: StepUpRow, masked: boolean): TranscriptEntry {
  const receipt = receiptId && jws ? readReceipt({ id: receiptId, jws }, masked) : undefined
  return { kind: 'step-up', ...row, missingScopes: missingScopes ?? undefined, receipt }
}

function readReceipt({ id, jws }: ReceiptRow, masked: boolean): TurnReceipt {
  const { claims } = readStoredReceipt(jws)
  return { id, claims: masked ? withoutArguments(claims) : claims }
}

const timeOf = (entry: TranscriptEntry) => (entry.kind === 'turn' ? entry.receivedAt : entry.at).getTime()

const FIRST = new Date(0)
const LAST = new Date(8.64e15 / 100)

/**
 * Reads a conversation as a transcript: turns, and step-ups with what was asked for, and what was done in them. Texts
 * are masked or missing as its Brand wants it.
 *
 * @param after the row of the message after which to go on
 * @throws ForbiddenError for one that the viewer may not see, and in the same way for one that does not exist
 */
export async function readTranscript(viewer: Viewer, id: string, after?: string): Promise<Transcript> {
  const conversation = await getConversation(viewer, id)
  const brandId = conversation.brand.id
  const start = after !== undefined && /^\d{1,18}$/.test(after) ? after : '0'
  const read = await pool().query<MessageRow>({
    ...messagesStatement,
    values: [id, brandId, start, conversation.masked],
  })
  const messages = read.rows.slice(0, MESSAGES)
  const following = read.rows[MESSAGES]
  const from = start === '0' ? FIRST : (messages[0]?.receivedAt ?? LAST)
  const [replies, stepUps] = await Promise.all([
    pool().query<ReceiptRow>({
      ...repliesReceiptsStatement,
      values: [id, brandId, messages.flatMap(({ jws }) => jws ?? [])],
    }),
    pool().query<StepUpRow>({
      ...stepUpsStatement,
      values: [id, brandId, from, following?.receivedAt ?? LAST],
    }),
  ])
  const { masked } = conversation
  const receipts = new Map(replies.rows.map((row) => [row.jws, readReceipt(row, masked)]))
  const last = following ? undefined : messages.at(-1)
  const entries = [
    ...messages.map((row) => toTurn(row, conversation.running && row === last, receipts.get(row.jws ?? ''))),
    ...stepUps.rows.slice(0, STEP_UPS).map((row) => toStepUp(row, masked)),
  ]
  entries.sort((one, other) => timeOf(one) - timeOf(other))
  return {
    conversation,
    entries,
    next: following ? messages.at(-1)?.id : undefined,
    continued: start !== '0',
    cut: stepUps.rows.length > STEP_UPS,
  }
}
