import type { ConditionList } from '#lib/platform/condition-list.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { brandFilter } from './permissions.ts'

/** Of up to so many Brands each one's newest rows are read from its own index; of more, all together. */
const FEW_BRANDS = 20

/** The Brands that a list reads, from what {@link brandFilter} allows; undefined: all of them. */
export function listedBrands({ brandId }: ReturnType<typeof brandFilter>): string[] | undefined {
  if (brandId === undefined) return undefined
  return typeof brandId === 'string' ? [brandId] : brandId.in
}

/** In SQL: only the rows of the Brands that {@link brandFilter} allows. @param column where a row has its Brand's id */
export function ofBrands(
  { brandId }: ReturnType<typeof brandFilter>,
  column: Prisma.Sql = Prisma.sql`"brandId"`,
): Prisma.Sql {
  if (brandId === undefined) return Prisma.sql`true`
  if (typeof brandId === 'string') return Prisma.sql`${column} = ${brandId}`
  // Of many, the planner would look each up in the index, or read the table from end to end.
  if (brandId.in.length > FEW_BRANDS) return Prisma.sql`${column} IN (SELECT unnest(${brandId.in}::text[]))`
  return Prisma.sql`${column} = ANY(${brandId.in})`
}

/**
 * In SQL: the first rows of a list, of all Brands or some.
 *
 * @param list.select the list's own statement, narrowed by one more condition; at most `limit` rows of one order
 * @param list.brandColumn where it has its rows' Brand
 * @param list.orderBy its order, for rows of another name
 */
export function selectOfBrands(
  { value }: Pick<ConditionList, 'value'>,
  brands: readonly string[] | undefined,
  list: {
    select(condition: string): string
    brandColumn: string
    orderBy(alias: string): string
    limit: number
  },
): string {
  const { select, brandColumn, orderBy, limit } = list
  if (!brands) return select('')
  if (brands.length > FEW_BRANDS) return select(`AND ${brandColumn} = ANY (${value(brands)}::text[])`)
  // Brands by their ids, not joined: the planner then knows how much each of them has.
  const each = brands.map((id) => `(${select(`AND ${brandColumn} = ${value(id)}`)})`)
  return `SELECT f.* FROM (${each.join(' UNION ALL ')}) f ORDER BY ${orderBy('f')} LIMIT ${limit}`
}
