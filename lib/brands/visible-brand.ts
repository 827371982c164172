import { assertMay, ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { settingsParts, toBrandSettings } from './read-settings.ts'
import { brandIdSchema } from './schema.ts'

/**
 * A Brand as its own pages show it, disabled or put away too.
 *
 * @throws ForbiddenError for one that the viewer may not look at, and in the same way for one that does not exist
 */
export async function getVisibleBrand(viewer: Viewer, id: string) {
  if (!brandIdSchema.safeParse(id).success) throw new ForbiddenError('not a Brand id')
  assertMay(viewer, 'brands.read', id)
  const stored = await prisma().brand.findUnique({ where: { id }, include: settingsParts })
  if (!stored) throw new ForbiddenError('no such Brand')
  const { createdAt, updatedAt, archivedAt, enabled } = stored
  return { id, enabled, createdAt, archivedAt, version: updatedAt, settings: toBrandSettings(stored) }
}

export type VisibleBrand = Awaited<ReturnType<typeof getVisibleBrand>>

/** {@link getVisibleBrand}, where one that can't be looked at is nothing unusual. */
export async function findVisibleBrand(viewer: Viewer, id: string): Promise<VisibleBrand | undefined> {
  try {
    return await getVisibleBrand(viewer, id)
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined
    throw error
  }
}
