import { listedBrands, selectOfBrands } from '#lib/access/list-scope.ts'
import { brandFilter, type Permission, type Viewer } from '#lib/access/permissions.ts'
import { isMaskedFor } from '#lib/conversations/masking.ts'
import { newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { type Page, type PageRequest, pageSizeOf, toPage } from '#lib/platform/keyset.ts'
import { addReceiptFilter } from './receipt-conditions.ts'
import type { ReceiptFilter } from './receipt-list-schema.ts'
import { type ReceiptClaims, readStoredReceipt, withoutArguments } from './receipts.ts'

/** A receipt as it is listed and exported. */
export type ListedReceipt = {
  id: string
  brand: { id: string; name: string }
  /** As the claims have it; `name`: as the registry calls it now. */
  personalAgent: { issuer: string; name: string }
  conversationId: string
  messageId: string
  issuedAt: Date
  /** Undefined where the Brand hides texts from the viewer: it holds the hashes of arguments, which `claims` then lacks. */
  jws: string | undefined
  /** Those that were signed. */
  claims: ReceiptClaims
}

type Row = {
  id: string
  brandId: string
  brandName: string
  maskedFor: string[]
  personalAgentName: string | null
  conversationId: string
  messageId: string
  issuedAt: Date
  jws: string
}

/** What an address says as an id of a receipt. */
export const RECEIPT_ID = /^[1-9]\d{0,17}$/

async function buildStatement(
  filter: ReceiptFilter,
  page: PageRequest,
  { brands, limit }: { brands: string[] | undefined; limit: number },
) {
  const conditions = newConditions()
  const { add, value } = conditions
  await addReceiptFilter(conditions, filter)
  const cursor = page.before ?? page.after
  const order = page.before ? 'ASC' : 'DESC'
  if (cursor) {
    const beyond = page.before ? '>' : '<'
    add(`(r."issuedAt", r."id") ${beyond} (${value(cursor.at)}, ${value(cursor.id)}::bigint)`)
  }
  const orderBy = (alias: string) => `${alias}."issuedAt" ${order}, ${alias}."id" ${order}`
  const select = (more: string) => `
    SELECT r."id", r."brandId", r."grantId", r."conversationId", r."messageId", r."issuedAt", r."jws" FROM "Receipt" r
    WHERE ${conditions.text()} ${more}
    ORDER BY ${orderBy('r')} LIMIT ${limit}`
  const found = selectOfBrands(conditions, brands, { select, brandColumn: 'r."brandId"', orderBy, limit })
  const text = `
SELECT f.*, b."name" AS "brandName", coalesce(b."maskedFor", '{}') AS "maskedFor", p."name" AS "personalAgentName"
FROM (${found}) f JOIN "Brand" b ON b."id" = f."brandId"
JOIN "Grant" g ON g."id" = f."grantId" LEFT JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
ORDER BY ${orderBy('f')}`
  return { text, values: conditions.values }
}

function toListed(viewer: Viewer, row: Row): ListedReceipt {
  const { claims } = readStoredReceipt(row.jws)
  const masked = isMaskedFor(viewer, row.brandId, row.maskedFor)
  return {
    id: row.id,
    brand: { id: row.brandId, name: row.brandName },
    personalAgent: { issuer: claims.pa, name: row.personalAgentName ?? claims.pa },
    conversationId: row.conversationId,
    messageId: row.messageId,
    issuedAt: row.issuedAt,
    jws: masked ? undefined : row.jws,
    claims: masked ? withoutArguments(claims) : claims,
  }
}

/**
 * Reads receipts (§5.6), the latest first (with `before`, the ones next to it first), as far as a viewer may see them.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function readReceipts(
  viewer: Viewer,
  permission: Permission,
  filter: ReceiptFilter,
  { page, limit }: { page: PageRequest; limit: number },
): Promise<ListedReceipt[]> {
  const brands = listedBrands(brandFilter(viewer, permission, filter.brand))
  const { rows } = await pool().query<Row>(await buildStatement(filter, page, { brands, limit }))
  return rows.map((row) => toListed(viewer, row))
}

/** Where a receipt stands in the list. */
export function receiptCursor({ id, issuedAt }: ListedReceipt) {
  return { at: issuedAt, id }
}

/** A page of the receipts that a viewer may see. @throws ForbiddenError for a Brand that is not the viewer's */
export async function listReceipts(
  viewer: Viewer,
  filter: ReceiptFilter,
  page: PageRequest = {},
): Promise<Page<ListedReceipt>> {
  const rows = await readReceipts(viewer, 'receipts.read', filter, { page, limit: pageSizeOf(page) + 1 })
  return toPage(rows, page, receiptCursor)
}
