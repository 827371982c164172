import { type Receipt, type ReceiptClaims, readStoredReceipt } from '#lib/delegation/receipts.ts'
import { signReceipt } from '#lib/delegation/sign-receipt.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Delegation, Owner, Reply, TurnResult } from './conversation.ts'
import { receiptOf, receiptValues } from './settle-turn.ts'

// The context is bound as by a turn (§5.5): a receipt that names one User must not reach another.
export const addReceiptStatement = {
  name: 'add-receipt',
  text: `
WITH bound AS (
  UPDATE "Conversation" SET "brandUserId" = $5
  WHERE "id" = $1 AND ${rowHas('', { brandId: '$2', personalAgentId: '$3', subject: '$4' })}
    AND ("brandUserId" = $5 OR "brandUserId" IS NULL)
  RETURNING "id"
), settled AS (
  UPDATE "Message" m SET "receipt" = jsonb_build_object('jws', $8::text) FROM bound
  WHERE m."conversationId" = $1 AND m."messageId" = $7 AND ${rowHas('m', { brandId: '$2' })}
    AND m."replyId" IS NOT NULL AND m."receipt"->>'jws' IS NULL
  RETURNING m."id"
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
WHERE "conversationId" = $1 AND "messageId" = $2 AND ${rowHas('', { brandId: '$3' })} AND "receipt" ? 'jws'`,
}

/** A stored reply, and whose it is. */
type Stored = { owner: Owner; messageId: string; reply: Reply }

/**
 * Gives a stored reply that was made under §3 the receipt that it needs when it is served under a delegation token (§5.6):
 * nothing was done under that token. Of requests that do so at the same moment one does, and all get its receipt.
 *
 * @returns the reply with its receipt; or that the context has run as another Brand user (§5.5)
 */
export async function addReceipt(stored: Stored, delegation: Delegation): Promise<TurnResult> {
  const claims = delegation.buildClaims({ actions: [], scopesUsed: [] })
  return storeReceipt(stored, claims, await delegation.signReceipt(claims))
}

/**
 * Gives a stored reply its receipt, which could not be signed when its turn ended (§5.6), as {@link addReceipt} does.
 *
 * @param claims of that turn
 * @returns the reply with its receipt; or that it still can't be signed, and the message may be repeated
 */
export async function addUnsignedReceipt(stored: Stored, claims: ReceiptClaims): Promise<TurnResult> {
  let receipt: Receipt
  try {
    receipt = await signReceipt(stored.owner.brandId, claims)
  } catch (cause) {
    return { kind: 'failed', cause }
  }
  return storeReceipt(stored, claims, receipt)
}

async function storeReceipt(
  stored: Stored,
  { grantId, user }: ReceiptClaims,
  receipt: Receipt,
): Promise<TurnResult> {
  const { reply } = stored
  const { brandId, personalAgentId, subject } = stored.owner
  const named = [reply.contextId, brandId, personalAgentId, subject, user]
  const { rows } = await pool().query<{ bound: boolean; added: boolean }>({
    ...addReceiptStatement,
    values: [...named, ...receiptValues(stored, { grantId, receipt })],
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
