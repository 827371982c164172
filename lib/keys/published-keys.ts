import type { JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { pool, prisma } from '#lib/platform/database.ts'
import { processState } from '#lib/platform/process-state.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import { createFirstKey } from './first-key.ts'
import { importPublicKey } from './new-key.ts'

const ENTRIES = 10_000

/** RFC 7638, SHA-256 in base64url. */
const THUMBPRINT = /^[\w-]{43}$/

/** Public keys by `kid`. They never change: which of them count is the database's to say. */
function imported() {
  return processState('verification-keys', () => new LRUCache<string, CryptoKey>({ max: ENTRIES }))
}

async function importKey(kid: string, jwk: JWK): Promise<CryptoKey> {
  const known = imported().get(kid)
  if (known) return known
  const key = await importPublicKey(jwk)
  imported().set(kid, key)
  return key
}

async function readPublished(brandId: string) {
  const rows = await prisma().signingKey.findMany({
    where: { brandId, state: { in: ['active', 'next', 'retired'] } },
    select: { id: true, publicJwk: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return new Map(rows.map(({ id, publicJwk }) => [id, publicJwk as JWK]))
}

const published = revisionCache('published-keys', async (brandId) => {
  const keys = await readPublished(brandId)
  if (keys.size > 0) return keys
  await createFirstKey(brandId)
  return readPublished(brandId)
})

/**
 * The key set of a Brand's `jwks_uri` (§5.1, RFC 7517 §5), newest first: the key that signs, the one that will sign next,
 * and those whose tokens or receipts may still have to be verified. Less than a second old. A Brand without a key gets
 * its first.
 */
export async function publishedJwks(brandId: string): Promise<{ keys: JWK[] }> {
  const keys = await published(brandId)
  return { keys: [...(keys?.values() ?? [])] }
}

const findStatement = {
  name: 'find-published-key',
  text: `SELECT "publicJwk" FROM "SigningKey"
    WHERE "id" = $1 AND "brandId" = $2 AND "state" IN ('active', 'next', 'retired')`,
}

async function readKey(brandId: string, kid: string): Promise<JWK | undefined> {
  const { rows } = await pool().query<{ publicJwk: JWK }>({ ...findStatement, values: [kid, brandId] })
  return rows[0]?.publicJwk
}

/**
 * The published key of a Brand with this `kid`. Another process may have made and used a key within the last second, so
 * one that is not remembered is looked up.
 *
 * @returns undefined for keys of other Brands, removed and compromised ones
 */
export async function findVerificationKey(brandId: string, kid: string): Promise<CryptoKey | undefined> {
  if (!THUMBPRINT.test(kid)) return undefined
  const jwk = (await published(brandId))?.get(kid) ?? (await readKey(brandId, kid))
  return jwk && importKey(kid, jwk)
}
