import { prisma } from '#lib/platform/database.ts'
import { brandsWhere, type Viewer } from './permissions.ts'

/** How many Brands the switcher lists; with more, people search. */
const LISTED = 500

/** The Brands that a viewer may look at, by name; put-away ones are left out. */
export async function listVisibleBrands(viewer: Viewer): Promise<{ id: string; name: string }[]> {
  const brands = brandsWhere(viewer, 'brands.read')
  return prisma().brand.findMany({
    where: { archivedAt: null, ...(brands === 'all' ? {} : { id: { in: brands } }) },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: LISTED,
  })
}
