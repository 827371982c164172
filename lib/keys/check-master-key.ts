import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { listMasterKeys } from './master-key.ts'
import { ownedByAgent, type SealedFor, unseal } from './sealing.ts'

type Sample = { owner: SealedFor; sealed: Uint8Array }

/** One sealed key for each master key that is in use: version and id stand in its first nine bytes. */
async function sampleSigningKeys(): Promise<Sample[]> {
  const rows = await prisma().$queryRaw<{ id: string; brandId: string; sealed: Uint8Array }[]>`
    SELECT DISTINCT ON (substring("sealedPrivate" FROM 1 FOR 9)) "id", "brandId", "sealedPrivate" AS "sealed"
    FROM "SigningKey" WHERE "sealedPrivate" IS NOT NULL
    ORDER BY substring("sealedPrivate" FROM 1 FOR 9), "id"`
  return rows.map(({ id, brandId, sealed }) => ({ owner: { brandId, kid: id }, sealed }))
}

/** As {@link sampleSigningKeys}, of what Brands' agents prove themselves with. */
async function sampleAgentSecrets(): Promise<Sample[]> {
  const rows = await prisma().$queryRaw<{ name: string; brandId: string; sealed: Uint8Array }[]>`
    SELECT DISTINCT ON (substring("sealed" FROM 1 FOR 9)) "name", "brandId", "sealed"
    FROM "AgentSecret" ORDER BY substring("sealed" FROM 1 FOR 9), "brandId", "name"`
  return rows.map(({ name, brandId, sealed }) => ({ owner: ownedByAgent(brandId, name), sealed }))
}

/**
 * Makes sure, before anything is served, that this process can open the private keys and the agents' secrets that are
 * stored, and make new keys where something is signed for a Brand.
 *
 * @throws MasterKeyError when there must be a master key and is none; SealError when the stored keys are under another
 */
export async function assertMasterKeyOpens(): Promise<void> {
  const samples = [...(await sampleSigningKeys()), ...(await sampleAgentSecrets())]
  const signing = await prisma().brand.count({
    where: {
      OR: [{ delegation: { not: Prisma.AnyNull } }, { agent: { path: ['driver'], equals: 'webhook' } }],
    },
  })
  if (samples.length === 0 && signing === 0) return
  const masterKeys = await listMasterKeys()
  for (const { owner, sealed } of samples) unseal(sealed, masterKeys, owner).fill(0)
}
