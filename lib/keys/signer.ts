import { LRUCache } from 'lru-cache'
import { prisma } from '#lib/platform/database.ts'
import { processState } from '#lib/platform/process-state.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import { createFirstKey } from './first-key.ts'
import { listMasterKeys } from './master-key.ts'
import { importPrivateKey } from './new-key.ts'
import { unseal } from './sealing.ts'

/** What signs for a Brand: tokens, receipts, its card. */
export type Signer = { kid: string; alg: 'ES256'; privateKey: CryptoKey }

const ENTRIES = 1_000

/** Keys that were opened, by `kid`. They never change: which of them signs is the database's to say. */
function opened() {
  return processState('opened-signing-keys', () => new LRUCache<string, CryptoKey>({ max: ENTRIES }))
}

async function openKey(brandId: string, kid: string, sealed: Uint8Array): Promise<CryptoKey> {
  const known = opened().get(kid)
  if (known) return known
  const plain = unseal(sealed, await listMasterKeys(), { brandId, kid })
  const key = await importPrivateKey(new Uint8Array(plain))
  plain.fill(0)
  opened().set(kid, key)
  return key
}

function findActive(brandId: string) {
  return prisma().signingKey.findFirst({
    where: { brandId, state: 'active' },
    select: { id: true, sealedPrivate: true },
  })
}

async function obtainActive(brandId: string) {
  const active = await findActive(brandId)
  if (active) return active
  await createFirstKey(brandId)
  return findActive(brandId)
}

const signers = revisionCache<Signer>('signers', async (brandId) => {
  const active = await obtainActive(brandId)
  if (!active?.sealedPrivate) throw new Error(`Brand ${brandId} has no signing key that can be opened`)
  const privateKey = await openKey(brandId, active.id, active.sealedPrivate)
  return { kid: active.id, alg: 'ES256', privateKey }
})

/**
 * A Brand's active signing key, as it was less than a second ago. A Brand without one gets its first.
 *
 * @throws MasterKeyError, SealError when the private key can't be opened here
 */
export async function getSigner(brandId: string): Promise<Signer> {
  const signer = await signers(brandId)
  if (!signer) throw new Error(`Brand ${brandId} has no signing key`)
  return signer
}
