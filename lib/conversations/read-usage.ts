import { ofBrands } from '#lib/access/list-scope.ts'
import { brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { type Figure, toUsage, type Usage, type UsageRow, usageBy } from './usage.ts'
import { stepsOf, type UsageRange } from './usage-range.ts'

/** What was used in one step of time. */
export type UsageOfStep = Usage & { at: Date }

/** What one Brand used. */
export type UsageOfBrand = Usage & { brand: { id: string; name: string } }

/**
 * What was used step by step, the earliest first, and in all; by one Brand or all that the viewer may see.
 *
 * @throws ForbiddenError
 */
export async function readUsage(
  viewer: Viewer,
  range: UsageRange,
  brand?: string,
): Promise<{ steps: UsageOfStep[]; total: Usage }> {
  const filter = brandFilter(viewer, 'usage.read', brand)
  const rows = await prisma().$queryRaw<(UsageRow & { key: Date })[]>(
    usageBy(range, 'step', ofBrands(filter)),
  )
  const byTime = new Map(rows.map((row) => [row.key.getTime(), row]))
  const steps = stepsOf(range).map((at) => {
    const row = byTime.get(at.getTime())
    return { at, ...toUsage(row ? [row] : []) }
  })
  return { steps, total: toUsage(rows) }
}

/** What Brands can be ordered by. */
export const usageOrders = ['turns', 'failedTurns', 'modelCalls', 'toolCalls', 'failedToolCalls'] as const

export type UsageOrder = (typeof usageOrders)[number] & Figure

type BrandList = {
  brand?: string | undefined
  /** A figure, and which end of it comes first; left out: by the Brands' ids. */
  order?: { by: UsageOrder; falling: boolean }
  /** Behind this Brand, where they are ordered by their ids. */
  after?: string | undefined
  limit: number
}

function orderBy(order: BrandList['order']): Prisma.Sql {
  if (!order) return Prisma.sql`b."id"`
  return Prisma.raw(`coalesce(u."${order.by}", 0) ${order.falling ? 'DESC' : 'ASC'}, b."id"`)
}

/**
 * What each Brand used that the viewer may see, one that used nothing too, unless it is put away.
 *
 * @returns at most `limit` of them, and whether there are more
 * @throws ForbiddenError
 */
export async function listUsageByBrand(
  viewer: Viewer,
  range: UsageRange,
  { brand, order, after = '', limit }: BrandList,
): Promise<{ rows: UsageOfBrand[]; more: boolean }> {
  const filter = brandFilter(viewer, 'usage.read', brand)
  const rows = await prisma().$queryRaw<(UsageRow & { id: string; name: string })[]>`
    WITH used AS (${usageBy(range, 'brand', ofBrands(filter))})
    SELECT b."id", b."name", u.* FROM "Brand" b LEFT JOIN used u ON u."key" = b."id"
    WHERE (b."archivedAt" IS NULL OR u."key" IS NOT NULL) AND ${ofBrands(filter, Prisma.sql`b."id"`)} AND b."id" > ${after}
    ORDER BY ${orderBy(order)} LIMIT ${limit + 1}`
  const listed = rows.slice(0, limit)
  return {
    rows: listed.map((row) => ({ brand: { id: row.id, name: row.name }, ...toUsage([row]) })),
    more: rows.length > limit,
  }
}
