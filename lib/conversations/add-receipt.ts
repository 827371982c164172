import { type Receipt, readStoredReceipt } from '#lib/delegation/receipts.ts'
import { pool } from '#lib/platform/database.ts'
import type { Delegation, Owner, Reply } from './conversation.ts'
import { receiptOf, receiptValues } from './settle-turn.ts'

// The context is bound as by a turn (§5.5): a receipt that names one User must not reach another.
export const addReceiptStatement = {
  name: 'add-receipt',
  text: `
WITH bound AS (
  UPDATE "Conversation" SET "brandUserId" = $5
  WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4
    AND ("brandUserId" = $5 OR "brandUserId" IS NULL)
  RETURNING "id"
), settled AS (
  UPDATE "Message" SET "receipt" = jsonb_build_object('jws', $8::text) FROM bound
  WHERE "Message"."conversationId" = $1 AND "Message"."messageId" = $7 AND "Message"."brandId" = $2
    AND "Message"."replyId" IS NOT NULL AND "Message"."receipt" IS NULL
  RETURNING "Message"."id"
), ${receiptOf({
    conversation: '$1',
    brand: '$2',
    grant: '$6',
    message: '$7',
    jws: '$8',
    claims: '$9',
  })}
SELECT EXISTS (SELECT FROM bound) AS "bound", EXISTS (SELECT FROM settled) AS "added"`,
}

const findReceiptStatement = {
  name: 'find-receipt-of-message',
  text: `
SELECT "receipt"->>'jws' AS "jws" FROM "Message"
WHERE "conversationId" = $1 AND "messageId" = $2 AND "brandId" = $3 AND "receipt" IS NOT NULL`,
}

/** A stored reply, and whose it is. */
type Stored = { owner: Owner; messageId: string; reply: Reply }

/**
 * Gives a stored reply that was made under §3 the receipt that it needs when it is served under a delegation token (§5.6):
 * nothing was done under that token. Of requests that do so at the same moment one does, and all get its receipt.
 *
 * @returns the reply with its receipt; or that the context has run as another Brand user (§5.5)
 */
export async function addReceipt(
  stored: Stored,
  { grantId, access, signReceipt }: Delegation,
): Promise<{ kind: 'replied'; reply: Reply } | { kind: 'other-user' }> {
  const { reply } = stored
  const { brandId, personalAgentId, subject } = stored.owner
  const receipt = await signReceipt({ actions: [], scopesUsed: [] })
  const { rows } = await pool().query<{ bound: boolean; added: boolean }>({
    ...addReceiptStatement,
    values: [
      reply.contextId,
      brandId,
      personalAgentId,
      subject,
      access.brandUserId,
      ...receiptValues(stored, { grantId, receipt }),
    ],
  })
  if (!rows[0]?.bound) return { kind: 'other-user' }
  return {
    kind: 'replied',
    reply: { ...reply, receipt: rows[0].added ? receipt : await findReceipt(stored) },
  }
}

async function findReceipt({ owner, messageId, reply }: Stored): Promise<Receipt> {
  const values = [reply.contextId, messageId, owner.brandId]
  const { rows } = await pool().query<{ jws: string }>({ ...findReceiptStatement, values })
  if (!rows[0]) throw new Error('the reply has no receipt and got none')
  return readStoredReceipt(rows[0].jws)
}
