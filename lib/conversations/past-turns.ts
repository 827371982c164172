import { MAX_PAST_TURNS, type PastTurn } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Turn } from './claim-turn.ts'

// The conversation's rows are found first and by their conversation: the order alone would lead to the newest rows of all
// conversations. Texts are read of the latest only, as many as fit.
export const pastTurnsStatement = {
  name: 'past-turns',
  text: `
WITH latest AS MATERIALIZED (
  SELECT "id" FROM (SELECT * FROM "Message" WHERE "conversationId" = $1 OFFSET 0) own
  WHERE "brandId" = $2 AND "id" <> $3 AND "replyText" IS NOT NULL AND "purgedAt" IS NULL
  ORDER BY "id" DESC LIMIT ${MAX_PAST_TURNS}
), sized AS (
  SELECT m."id", m."text", m."replyText",
    sum(octet_length(m."text") + octet_length(m."replyText")) OVER (ORDER BY m."id" DESC) AS "size"
  FROM latest CROSS JOIN LATERAL (
    SELECT * FROM "Message" m WHERE m."id" = latest."id" AND ${rowHas('m', { brandId: '$2' })} OFFSET 0
  ) m
)
SELECT "text", "replyText" AS "reply" FROM sized WHERE "size" <= $4 ORDER BY "id"`,
}

/**
 * The earlier turns of a turn's conversation, oldest first: those with a reply, whose texts are still kept. One statement.
 *
 * @param maxBytes of the latest turns as many as have this much text together, in bytes of UTF-8
 */
export async function readPastTurns(
  { contextId, brandId, messageRow }: Turn,
  maxBytes: number,
): Promise<PastTurn[]> {
  const { rows } = await pool().query<PastTurn>({
    ...pastTurnsStatement,
    values: [contextId, brandId, messageRow, maxBytes],
  })
  return rows
}
