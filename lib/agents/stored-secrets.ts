import { getMasterKey, listMasterKeys } from '#lib/keys/master-key.ts'
import { ownedByAgent, seal, unseal } from '#lib/keys/sealing.ts'
import { prisma } from '#lib/platform/database.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'

/** A secret of a Brand's agent, opened. It is for headers, and for nobody's eyes. */
type OpenedSecret = { origin: string; value: string }

const secrets = revisionCache<OpenedSecret>('agent-secrets', async (key) => {
  const [brandId = '', name = ''] = JSON.parse(key) as string[]
  const stored = await prisma().agentSecret.findUnique({ where: { brandId_name: { brandId, name } } })
  return stored
    ? { origin: stored.origin, value: await openAgentSecret(stored.sealed, brandId, name) }
    : undefined
})

/** Seals a secret of a Brand's agent; it opens for no other Brand, and under no other name. @throws MasterKeyError */
export async function sealAgentSecret(
  value: string,
  brandId: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(seal(Buffer.from(value), await getMasterKey(), ownedByAgent(brandId, name)))
}

/** Opens what {@link sealAgentSecret} sealed. @throws SealError, MasterKeyError */
export async function openAgentSecret(sealed: Uint8Array, brandId: string, name: string): Promise<string> {
  return unseal(sealed, await listMasterKeys(), ownedByAgent(brandId, name)).toString()
}

/**
 * A secret of a Brand's agent, less than a second old. It was given for one origin: whoever may change an address must not
 * learn by that what they may not read.
 *
 * @param url where it is to be sent
 * @returns undefined where there is none, or it is for another origin
 * @throws SealError, MasterKeyError
 */
export async function findAgentSecret(
  brandId: string,
  name: string,
  url: string,
): Promise<string | undefined> {
  const secret = await secrets(JSON.stringify([brandId, name]))
  return secret?.origin === new URL(url).origin ? secret.value : undefined
}

/** Which secrets of a Brand's agent are stored, and for which origins: all that anybody is shown of them. */
export function listAgentSecrets(brandId: string): Promise<{ name: string; origin: string }[]> {
  return prisma().agentSecret.findMany({
    where: { brandId },
    select: { name: true, origin: true },
    orderBy: { name: 'asc' },
  })
}
