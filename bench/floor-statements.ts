import { rowHas } from '#lib/platform/row-has.ts'

// What stores one turn, written for one turn: the least that the tables allow. The product's own statements do the same for
// many turns at once, which costs more where there is only one.

/** A conversation begins with a message and its reply. */
export const beginAnsweredStatement = {
  name: 'begin-answered-conversation',
  text: `
WITH conversation AS (
  INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "agentState") VALUES ($1, $2, $3, $4, $8)
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "replyId", "replyText", "repliedAt")
VALUES ($2, $1, $5, $6, $7, $9, now())`,
}

const isOwn = rowHas('', { brandId: '$2', personalAgentId: '$3', subject: '$4', state: `'open'` })
const isNew = (messageId: string) =>
  `NOT EXISTS (SELECT FROM "Message" WHERE "conversationId" = $1 AND "messageId" = ${messageId} AND ${rowHas('', { brandId: '$2' })})`

/** A conversation gets its next message and the reply to it. */
export const answerNextStatement = {
  name: 'answer-next-turn',
  text: `
WITH answered AS (
  UPDATE "Conversation" SET "lastActiveAt" = now(), "agentState" = $8
  WHERE "id" = $1 AND ${isOwn} AND "lastActiveAt" > now() - $10 * interval '1 millisecond'
    AND ("turnUntil" IS NULL OR "turnUntil" <= now()) AND ${isNew('$5')}
  RETURNING "id"
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "replyId", "replyText", "repliedAt")
SELECT $2, $1, $5, $6, $7, $9, now() FROM answered`,
}

/** A turn under a delegation token begins a conversation. */
export const beginStatement = {
  name: 'begin-conversation',
  text: `
WITH conversation AS (
  INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "turnId", "turnUntil", "brandUserId")
  VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond', $9)
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text") VALUES ($2, $1, $7, $8)
RETURNING "id" AS "messageRow"`,
}

/** A turn under a delegation token begins in a conversation that is there. */
export const nextTurnStatement = {
  name: 'next-turn',
  text: `
WITH begun AS (
  UPDATE "Conversation"
  SET "turnId" = $5, "turnUntil" = now() + $6 * interval '1 millisecond', "lastActiveAt" = now(),
    "brandUserId" = coalesce("brandUserId", $9)
  WHERE "id" = $1 AND ${isOwn} AND "lastActiveAt" > now() - $10 * interval '1 millisecond'
    AND ("turnUntil" IS NULL OR "turnUntil" <= now())
    AND ("brandUserId" = $9 OR "brandUserId" IS NULL OR $9 IS NULL) AND ${isNew('$7')}
  RETURNING "agentState"
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text") SELECT $2, $1, $7, $8 FROM begun
RETURNING "id" AS "messageRow", (SELECT "agentState" FROM begun)`,
}

/** A turn under a delegation token ends. */
export const settleDelegatedStatement = {
  name: 'settle-delegated-turn',
  text: `
WITH settled AS (
  UPDATE "Conversation"
  SET "turnId" = NULL, "turnUntil" = NULL, "lastActiveAt" = now(), "agentState" = $4,
    "state" = CASE WHEN $5 THEN 'closed' ELSE "state" END,
    "closedBy" = CASE WHEN $5 AND "state" = 'open' THEN 'agent' ELSE "closedBy" END,
    "closedAt" = CASE WHEN $5 AND "state" = 'open' THEN now() ELSE "closedAt" END
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', turnId: '$3' })}
  RETURNING "id"
), receipt AS (
  INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
  SELECT $2, $8, $1, $9, $10, $11::jsonb FROM settled
), used AS (
  UPDATE "Grant" g SET "lastUsedAt" = now() FROM settled
  WHERE g."id" = $8 AND ${rowHas('g', { brandId: '$2' })}
    AND (g."lastUsedAt" IS NULL OR g."lastUsedAt" < now() - interval '1 second')
)
UPDATE "Message" m
SET "replyId" = $3, "replyText" = $7, "repliedAt" = now(), "receipt" = jsonb_build_object('jws', $10::text)
FROM settled WHERE m."id" = $6 AND ${rowHas('m', { brandId: '$2' })}`,
}
