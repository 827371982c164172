import { listedBrands } from '#lib/access/list-scope.ts'
import { brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { pageSizeOf } from '#lib/platform/keyset.ts'
import type { KeyBrandsQuery } from './brand-list-schema.ts'

/** A Brand, and how its keys stand. */
export type BrandKeyStates = {
  id: string
  name: string
  /** Days; null: until somebody rotates. */
  rotateEveryDays: number | null
  /** Since when the active key signs; null: there is none yet. */
  activeSince: Date | null
  /** Since when the next key is published. */
  nextSince: Date | null
  retired: number
  compromised: number
}

export type BrandKeysPage = {
  rows: BrandKeyStates[]
  before: string | undefined
  after: string | undefined
}

/** For LIKE: what has a meaning there stands for itself. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

type ListRequest = KeyBrandsQuery & { limit?: number }

function buildStatement({ q, before, after, limit }: ListRequest, brands: string[] | undefined) {
  const { add, value, text, values } = newConditions()
  add(`b."archivedAt" IS NULL AND (b."delegation" IS NOT NULL OR EXISTS (
    SELECT FROM "SigningKey" k WHERE k."brandId" = b."id"))`)
  if (brands) add(`b."id" = ANY (${value(brands)}::text[])`)
  if (q) add(`b."name" ILIKE ${value(`%${literal(q)}%`)}`)
  const cursor = before ?? after
  if (cursor) {
    const beyond = before ? '<' : '>'
    add(
      `(b."name", b."id") ${beyond} (SELECT c."name", c."id" FROM "Brand" c WHERE c."id" = ${value(cursor)})`,
    )
  }
  const order = before ? 'DESC' : 'ASC'
  return {
    text: `
SELECT b."id", b."name", b."rotateEveryDays", k.*
FROM (
  SELECT b."id", b."name", b."rotateEveryDays" FROM "Brand" b WHERE ${text()}
  ORDER BY b."name" ${order}, b."id" ${order} LIMIT ${pageSizeOf({ limit }) + 1}
) b CROSS JOIN LATERAL (
  SELECT max("activatedAt") FILTER (WHERE "state" = 'active') AS "activeSince",
    max("createdAt") FILTER (WHERE "state" = 'next') AS "nextSince",
    (count(*) FILTER (WHERE "state" = 'retired'))::int AS "retired",
    (count(*) FILTER (WHERE "state" = 'compromised'))::int AS "compromised"
  FROM "SigningKey" WHERE "brandId" = b."id"
) k
ORDER BY b."name" ${order}, b."id" ${order}`,
    values,
  }
}

/**
 * A page of the Brands for which something is signed, by name, as far as a viewer may see their keys.
 *
 * @throws ForbiddenError where there is none
 */
export async function listBrandKeys(viewer: Viewer, query: ListRequest): Promise<BrandKeysPage> {
  const brands = listedBrands(brandFilter(viewer, 'keys.read'))
  const { rows: read } = await pool().query<BrandKeyStates>(buildStatement(query, brands))
  const size = pageSizeOf(query)
  const more = read.length > size
  const kept = read.slice(0, size)
  const rows = query.before ? kept.reverse() : kept
  const earlier = query.before ? more : query.after !== undefined
  const later = query.before ? true : more
  return {
    rows,
    before: earlier ? rows[0]?.id : undefined,
    after: later ? rows.at(-1)?.id : undefined,
  }
}
