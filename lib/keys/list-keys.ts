import { prisma } from '#lib/platform/database.ts'
import { factColumns } from './change-keys.ts'

/**
 * The signing keys of one Brand or of all, by Brand, newest first; those that have ended too. Never a private half.
 *
 * @param brandId undefined: every Brand's
 */
export async function listKeys(brandId?: string) {
  const rows = await prisma().signingKey.findMany({
    where: brandId === undefined ? {} : { brandId },
    select: { ...factColumns, endedAt: true, brandId: true, brand: { select: { name: true } } },
    orderBy: [{ brandId: 'asc' }, { createdAt: 'desc' }],
  })
  return rows.map(({ id, brand, ...row }) => ({ kid: id, brandName: brand.name, ...row }))
}

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]
