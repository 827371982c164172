import { listedBrands, selectOfBrands } from '#lib/access/list-scope.ts'
import { brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { type Page, type PageRequest, pageSizeOf, toPage } from '#lib/platform/keyset.ts'
import { addGrantFilter, grantState } from './grant-conditions.ts'
import type { GrantFilter, GrantState } from './grant-list-schema.ts'

export type ListedGrant = {
  id: string
  brand: { id: string; name: string }
  personalAgent: { id: string; name: string; issuer: string }
  /** The personal agent's `sub`. */
  subject: string
  /** The User's id at the Brand. */
  brandUserId: string
  scopes: string[]
  state: GrantState
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | undefined
}

type Row = Omit<ListedGrant, 'brand' | 'personalAgent' | 'lastUsedAt'> & {
  brandId: string
  brandName: string
  personalAgentId: string
  personalAgentName: string
  issuer: string
  lastUsedAt: Date | null
}

async function buildListStatement(filter: GrantFilter, page: PageRequest, brands: string[] | undefined) {
  const conditions = newConditions()
  const { add, value } = conditions
  await addGrantFilter(conditions, filter)
  const cursor = page.before ?? page.after
  const order = page.before ? 'ASC' : 'DESC'
  if (cursor) {
    const beyond = page.before ? '>' : '<'
    add(`(g."createdAt", g."id") ${beyond} (${value(cursor.at)}, ${value(cursor.id)})`)
  }
  const orderBy = (alias: string) => `${alias}."createdAt" ${order}, ${alias}."id" ${order}`
  // Read off the index as far as it goes; the grants themselves only once it is known which.
  const select = (more: string) => `
    SELECT g."id", g."createdAt" FROM "Grant" g WHERE ${conditions.text()} ${more}
    ORDER BY ${orderBy('g')} LIMIT ${pageSizeOf(page) + 1}`
  const list = { select, brandColumn: 'g."brandId"', orderBy, limit: pageSizeOf(page) + 1 }
  const found = selectOfBrands(conditions, brands, list)
  const text = `
SELECT g."id", g."brandId", b."name" AS "brandName", g."personalAgentId", p."name" AS "personalAgentName", p."issuer",
  g."subject", g."brandUserId", g."scopes", ${grantState} AS "state", g."createdAt", g."expiresAt", g."lastUsedAt"
FROM (${found}) listed JOIN "Grant" g ON g."id" = listed."id" JOIN "Brand" b ON b."id" = g."brandId"
  JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
ORDER BY ${orderBy('g')}`
  return { text, values: conditions.values }
}

/**
 * Lists grants, the latest first, as far as a viewer may see them.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function listGrants(
  viewer: Viewer,
  filter: GrantFilter,
  page: PageRequest = {},
): Promise<Page<ListedGrant>> {
  const brands = listedBrands(brandFilter(viewer, 'grants.read', filter.brand))
  const { rows } = await pool().query<Row>(await buildListStatement(filter, page, brands))
  const listed = rows.map(({ brandId, brandName, personalAgentId, personalAgentName, issuer, ...row }) => ({
    ...row,
    brand: { id: brandId, name: brandName },
    personalAgent: { id: personalAgentId, name: personalAgentName, issuer },
    lastUsedAt: row.lastUsedAt ?? undefined,
  }))
  return toPage(listed, page, ({ createdAt, id }) => ({ at: createdAt, id }))
}
