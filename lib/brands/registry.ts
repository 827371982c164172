import { prisma } from '#lib/platform/database.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import { type Brand, storedParts, toBrand } from './brand.ts'
import { brandIdSchema } from './schema.ts'

const brands = revisionCache<Brand>('brands', async (id) => {
  const stored = await prisma().brand.findUnique({ where: { id, enabled: true }, include: storedParts })
  return stored ? toBrand(stored) : undefined
})

/** True for text that can be a Brand's id; whether there is one is another matter. */
export function isBrandId(text: string): boolean {
  return brandIdSchema.safeParse(text).success
}

/** The Brand with this id, less than a second old; undefined when there is none or it is disabled. */
export async function findBrand(id: string): Promise<Brand | undefined> {
  return isBrandId(id) ? brands(id) : undefined
}

/** Every Brand that is enabled, by name. For pages, not for requests of personal agents. */
export function listBrands(): Promise<{ id: string; name: string; description: string }[]> {
  return prisma().brand.findMany({
    where: { enabled: true },
    select: { id: true, name: true, description: true },
    orderBy: { name: 'asc' },
  })
}
