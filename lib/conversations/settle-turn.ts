import type { TurnOutcome } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import type { Turn } from './claim-turn.ts'
import type { Owner, Reply } from './conversation.ts'

export const settleStatement = {
  name: 'settle-turn',
  text: `
WITH settled AS (
  UPDATE "Conversation"
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = $4,
    "state" = CASE WHEN $5 THEN 'closed' ELSE "state" END,
    "closedBy" = CASE WHEN $5 AND "state" = 'open' THEN 'agent' ELSE "closedBy" END,
    "closedAt" = CASE WHEN $5 AND "state" = 'open' THEN now() ELSE "closedAt" END
  WHERE "id" = $1 AND "brandId" = $2 AND "turnId" = $3
  RETURNING "id"
)
UPDATE "Message" SET "replyId" = $3, "replyText" = $7, "repliedAt" = now()
FROM settled WHERE "Message"."id" = $6 AND "Message"."brandId" = $2`,
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

/**
 * Stores a turn's reply and what the agent remembers, and lets the next turn begin: one statement.
 *
 * @returns undefined when the turn's time was over and the conversation has gone on without it: nothing was stored
 */
export async function settleTurn(turn: Turn, outcome: TurnOutcome): Promise<Reply | undefined> {
  const { contextId, brandId, turnId, messageRow } = turn
  const { rowCount } = await pool().query({
    ...settleStatement,
    values: [
      contextId,
      brandId,
      turnId,
      JSON.stringify(outcome.state),
      outcome.close,
      messageRow,
      outcome.reply,
    ],
  })
  return rowCount === 1 ? { contextId, replyId: turnId, text: outcome.reply } : undefined
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
