import type { Actor } from '#lib/access/audit.ts'
import { assertMay, ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { compromiseKey, retireKey, rotateKey } from './rotation.ts'

/** Who changes keys in the console or its API. */
export type KeyManager = { viewer: Viewer; actor: Actor }

async function assertOwn(viewer: Viewer, brandId: string, kid: string): Promise<void> {
  assertMay(viewer, 'keys.write', brandId)
  const key = await prisma().signingKey.findFirst({ where: { id: kid, brandId }, select: { id: true } })
  if (!key) throw new ForbiddenError('no such key')
}

/** {@link rotateKey}, by somebody who may. @throws ForbiddenError */
export async function rotateBrandKey(
  { viewer, actor }: KeyManager,
  brandId: string,
  options: { force: boolean },
) {
  assertMay(viewer, 'keys.write', brandId)
  const brand = await prisma().brand.findUnique({ where: { id: brandId }, select: { id: true } })
  if (!brand) throw new ForbiddenError('no such Brand')
  return rotateKey(brandId, options, actor)
}

/** {@link retireKey}, of a Brand's own key, by somebody who may. @throws ForbiddenError, KeyRefusalError */
export async function retireBrandKey({ viewer, actor }: KeyManager, brandId: string, kid: string) {
  await assertOwn(viewer, brandId, kid)
  return retireKey(kid, actor)
}

/** {@link compromiseKey}, of a Brand's own key, by somebody who may. @throws ForbiddenError, KeyRefusalError */
export async function compromiseBrandKey({ viewer, actor }: KeyManager, brandId: string, kid: string) {
  await assertOwn(viewer, brandId, kid)
  return compromiseKey(kid, actor)
}
