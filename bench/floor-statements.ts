// What claims and settles one turn, written for one turn: the least that the tables allow. The product's own statements do
// the same for many turns at once, which costs more where there is only one.

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

export const nextTurnStatement = {
  name: 'next-turn',
  text: `
WITH begun AS (
  UPDATE "Conversation"
  SET "turnId" = $5, "turnUntil" = now() + $6 * interval '1 millisecond', "lastActiveAt" = now(),
    "brandUserId" = coalesce("brandUserId", $9)
  WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4
    AND "state" = 'open' AND "lastActiveAt" > now() - $10 * interval '1 millisecond'
    AND ("turnUntil" IS NULL OR "turnUntil" <= now())
    AND ("brandUserId" = $9 OR "brandUserId" IS NULL OR $9 IS NULL)
    AND NOT EXISTS (SELECT FROM "Message" WHERE "conversationId" = $1 AND "messageId" = $7 AND "brandId" = $2)
  RETURNING "agentState"
)
INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text") SELECT $2, $1, $7, $8 FROM begun
RETURNING "id" AS "messageRow", (SELECT "agentState" FROM begun)`,
}

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

export const settleDelegatedStatement = {
  name: 'settle-delegated-turn',
  text: `
WITH ${settled}, receipt AS (
  INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
  SELECT $2, $8, $1, $9, $10, $11::jsonb FROM settled
), used AS (
  UPDATE "Grant" SET "lastUsedAt" = now() FROM settled
  WHERE "Grant"."id" = $8 AND "Grant"."brandId" = $2
    AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 second')
)
UPDATE "Message"
SET "replyId" = $3, "replyText" = $7, "repliedAt" = now(), "receipt" = jsonb_build_object('jws', $10::text)
FROM settled WHERE "Message"."id" = $6 AND "Message"."brandId" = $2`,
}
