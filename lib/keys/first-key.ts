import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { makeKey } from './new-key.ts'

/**
 * Gives a Brand its first signing key, active at once: nobody has cached a key set without it. Where one is active
 * already, or becomes so at the same moment, nothing changes.
 *
 * @param transaction the one that creates the Brand; left out: a statement of its own
 * @throws MasterKeyError
 */
export async function createFirstKey(brandId: string, transaction?: Prisma.TransactionClient): Promise<void> {
  const { kid, publicJwk, sealedPrivate } = await makeKey(brandId)
  await (transaction ?? prisma()).$executeRaw`
    INSERT INTO "SigningKey" ("id", "brandId", "state", "publicJwk", "sealedPrivate", "activatedAt")
    VALUES (${kid}, ${brandId}, 'active', ${publicJwk}::jsonb, ${sealedPrivate}, now())
    ON CONFLICT ("brandId") WHERE "state" = 'active' DO NOTHING`
}
