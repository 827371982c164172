import { ForbiddenError, may, type Viewer } from '#lib/access/permissions.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { isMaskedFor } from '#lib/conversations/masking.ts'
import { pool } from '#lib/platform/database.ts'
import { RECEIPT_ID } from './list-receipts.ts'
import { type ReceiptClaims, readStoredReceipt, withoutArguments } from './receipts.ts'

/** A receipt with all that is known around it. */
export type ReceiptDetail = {
  id: string
  brand: { id: string; name: string; jwksUri: string }
  personalAgent: { issuer: string; name: string }
  /** The personal agent's `sub` for the User. */
  subject: string
  issuedAt: Date
  /** Undefined where the Brand hides texts from the viewer: it holds the hashes of arguments, which `claims` then lacks. */
  jws: string | undefined
  claims: ReceiptClaims
  /** What each scope used means, in the Brand's present words. */
  scopes: { id: string; description: string | undefined }[]
  turn: {
    conversationId: string
    messageId: string
    /** The message's row; undefined: it was a step-up, of which only this receipt is stored. */
    row: string | undefined
  }
}

type Row = {
  id: string
  brandId: string
  brandName: string
  maskedFor: string[]
  personalAgentName: string | null
  subject: string
  issuedAt: Date
  jws: string
  conversationId: string
  messageId: string
  messageRow: string | null
  scopes: { id: string; description: string }[]
}

export const receiptDetailStatement = {
  name: 'receipt-for-console',
  text: `
SELECT r."id", r."brandId", b."name" AS "brandName", coalesce(b."maskedFor", '{}') AS "maskedFor",
  p."name" AS "personalAgentName", g."subject", r."issuedAt", r."jws", r."conversationId",
  r."messageId", m."id" AS "messageRow",
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', s."id", 'description', s."description")) FROM "Scope" s
    WHERE s."brandId" = r."brandId" AND r."claims"->'scopesUsed' ? s."id"), '[]') AS "scopes"
FROM "Receipt" r JOIN "Brand" b ON b."id" = r."brandId" JOIN "Grant" g ON g."id" = r."grantId"
LEFT JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
LEFT JOIN "Message" m ON m."conversationId" = r."conversationId" AND m."messageId" = r."messageId"
  AND m."brandId" = r."brandId" AND m."receipt"->>'jws' = r."jws"
WHERE r."id" = $1`,
}

/**
 * A receipt as the console shows it. Its signature is not looked at here: the viewer's browser verifies it.
 *
 * @throws ForbiddenError for one that the viewer may not see, and in the same way for one that does not exist
 */
export async function getReceipt(viewer: Viewer, id: string): Promise<ReceiptDetail> {
  const { rows } = RECEIPT_ID.test(id)
    ? await pool().query<Row>({ ...receiptDetailStatement, values: [id] })
    : { rows: [] }
  const [row] = rows
  if (!row || !may(viewer, 'receipts.read', row.brandId)) throw new ForbiddenError('no such receipt')
  const { claims } = readStoredReceipt(row.jws)
  const masked = isMaskedFor(viewer, row.brandId, row.maskedFor)
  const meaning = new Map(row.scopes.map((scope) => [scope.id, scope.description]))
  return {
    id: row.id,
    brand: { id: row.brandId, name: row.brandName, jwksUri: authorizationServer(row.brandId).jwksUri },
    personalAgent: { issuer: claims.pa, name: row.personalAgentName ?? claims.pa },
    subject: row.subject,
    issuedAt: row.issuedAt,
    jws: masked ? undefined : row.jws,
    claims: masked ? withoutArguments(claims) : claims,
    scopes: claims.scopesUsed.map((scope) => ({ id: scope, description: meaning.get(scope) })),
    turn: {
      conversationId: row.conversationId,
      messageId: row.messageId,
      row: row.messageRow ?? undefined,
    },
  }
}
