import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { listMasterKeys } from './master-key.ts'
import { unseal } from './sealing.ts'

type Sample = { id: string; brandId: string; sealedPrivate: Uint8Array }

/** One sealed key for each master key that is in use: version and id stand in its first nine bytes. */
function listSamples(): Promise<Sample[]> {
  return prisma().$queryRaw<Sample[]>`
    SELECT DISTINCT ON (substring("sealedPrivate" FROM 1 FOR 9)) "id", "brandId", "sealedPrivate"
    FROM "SigningKey" WHERE "sealedPrivate" IS NOT NULL
    ORDER BY substring("sealedPrivate" FROM 1 FOR 9), "id"`
}

/**
 * Makes sure, before anything is served, that this process can open the private keys that are stored, and make new ones
 * where a Brand has delegation.
 *
 * @throws MasterKeyError when there must be a master key and is none; SealError when the stored keys are under another
 */
export async function assertMasterKeyOpens(): Promise<void> {
  const samples = await listSamples()
  const delegating = await prisma().brand.count({ where: { delegation: { not: Prisma.AnyNull } } })
  if (samples.length === 0 && delegating === 0) return
  const masterKeys = await listMasterKeys()
  for (const { id, brandId, sealedPrivate } of samples) {
    unseal(sealedPrivate, masterKeys, { brandId, kid: id }).fill(0)
  }
}
