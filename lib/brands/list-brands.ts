import { assertMay, brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { pageSizeOf } from '#lib/platform/keyset.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { BrandListQuery } from './list-schema.ts'

export type ListedBrand = {
  id: string
  name: string
  domain: string | null
  enabled: boolean
  archivedAt: Date | null
  createdAt: Date
  /** Whether Users can allow something there (§5). */
  delegates: boolean
  skills: number
  scopes: number
}

export type BrandPage = { rows: ListedBrand[]; before: string | undefined; after: string | undefined }

const states = {
  enabled: Prisma.sql`b."archivedAt" IS NULL AND b."enabled"`,
  disabled: Prisma.sql`b."archivedAt" IS NULL AND NOT b."enabled"`,
  archived: Prisma.sql`b."archivedAt" IS NOT NULL`,
}

/** For LIKE: what has a meaning there stands for itself. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

function buildConditions(viewer: Viewer, { q, state, brand }: BrandListQuery): Prisma.Sql[] {
  const { brandId } = brandFilter(viewer, 'brands.read', brand)
  const conditions = [state ? states[state] : Prisma.sql`b."archivedAt" IS NULL`]
  if (brandId !== undefined) {
    const ids = typeof brandId === 'string' ? [brandId] : brandId.in
    conditions.push(Prisma.sql`b."id" = ANY (${ids}::text[])`)
  }
  if (q) {
    const part = `%${literal(q)}%`
    const beginning = `${literal(q.toUpperCase())}%`
    conditions.push(
      Prisma.sql`(b."name" ILIKE ${part} OR b."domain" ILIKE ${part} OR b."id" LIKE ${beginning})`,
    )
  }
  return conditions
}

/** What a row is ordered by; of the Brand that a cursor names it is read anew. */
function orderOf(query: BrandListQuery) {
  const byName = query.sort.endsWith('name')
  const key = (alias: string) =>
    byName
      ? Prisma.raw(`lower(${alias}."name"), ${alias}."id"`)
      : Prisma.raw(`${alias}."createdAt", ${alias}."id"`)
  const falling = query.sort.startsWith('-') !== (query.before !== undefined)
  const direction = falling ? 'DESC' : 'ASC'
  const first = byName ? 'lower(b."name")' : 'b."createdAt"'
  return { key, falling, clause: Prisma.raw(`${first} ${direction}, b."id" ${direction}`) }
}

/**
 * One page of the Brands that a viewer may look at.
 *
 * @throws ForbiddenError where there is none, and beside a Brand that is not theirs
 */
export async function listBrandPage(
  viewer: Viewer,
  query: BrandListQuery & { limit?: number },
): Promise<BrandPage> {
  const size = pageSizeOf(query)
  const conditions = buildConditions(viewer, query)
  const { key, falling, clause } = orderOf(query)
  const cursor = query.before ?? query.after
  if (cursor !== undefined) {
    const beyond = Prisma.raw(falling ? '<' : '>')
    // A place beside a Brand tells its name: only beside those that the viewer may see.
    assertMay(viewer, 'brands.read', cursor)
    conditions.push(
      Prisma.sql`(${key('b')}) ${beyond} (SELECT ${key('c')} FROM "Brand" c WHERE c."id" = ${cursor})`,
    )
  }
  const read = await prisma().$queryRaw<ListedBrand[]>`
    SELECT b."id", b."name", b."domain", b."enabled", b."archivedAt", b."createdAt",
      b."delegation" IS NOT NULL AS "delegates",
      (SELECT count(*)::int FROM "Skill" s WHERE s."brandId" = b."id") AS "skills",
      (SELECT count(*)::int FROM "Scope" s WHERE s."brandId" = b."id") AS "scopes"
    FROM "Brand" b WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${clause} LIMIT ${size + 1}`
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
