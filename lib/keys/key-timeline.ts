import { assertMay, ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import type { SigningKey } from '#prisma/generated/client.ts'
import { factColumns } from './change-keys.ts'
import { countKeyUse, type KeyUse } from './key-use.ts'
import type { PublishedJwk } from './new-key.ts'

/** Up to how many receipts and tokens of a key a timeline counts, and a key's own page. */
export const MOST_IN_TIMELINE = 1_000
export const MOST_OF_KEY = 10_000
/** Keys that a timeline shows; those that are published come first. */
const SHOWN = 100

type ShownKey = {
  kid: string
  state: SigningKey['state']
  createdAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
  endedAt: Date | null
  jwk: PublishedJwk
  use: KeyUse
}

/** The Brand of a timeline. */
type KeyOwner = {
  id: string
  name: string
  /** Whether its key set is served: for a Brand that is enabled and has delegation (§5). */
  published: boolean
  rotateEveryDays: number | null
  /** As `editBrand` wants it. */
  version: Date
  jwksUri: string
}

const columns = { ...factColumns, endedAt: true, publicJwk: true } as const
type StoredKey = Pick<SigningKey, keyof typeof columns>

async function getOwner(viewer: Viewer, brandId: string): Promise<KeyOwner> {
  if (!brandIdSchema.safeParse(brandId).success) throw new ForbiddenError('not a Brand id')
  assertMay(viewer, 'keys.read', brandId)
  const brand = await prisma().brand.findUnique({
    where: { id: brandId },
    select: {
      id: true,
      name: true,
      enabled: true,
      archivedAt: true,
      delegation: true,
      rotateEveryDays: true,
      updatedAt: true,
    },
  })
  if (!brand) throw new ForbiddenError('no such Brand')
  const { enabled, archivedAt, delegation, updatedAt, ...rest } = brand
  return {
    ...rest,
    published: enabled && archivedAt === null && delegation !== null,
    version: updatedAt,
    jwksUri: authorizationServer(brandId).jwksUri,
  }
}

async function toShown(
  brandId: string,
  { id, publicJwk, ...row }: StoredKey,
  most: number,
): Promise<ShownKey> {
  const use = await countKeyUse(brandId, { kid: id, ...row }, most)
  return { kid: id, ...row, jwk: publicJwk as PublishedJwk, use }
}

/** A Brand's keys over time, the newest first, and the key set that is published (RFC 7517). Changes nothing. */
export type KeyTimeline = {
  brand: KeyOwner
  keys: ShownKey[]
  jwks: { keys: PublishedJwk[] }
}

/**
 * Reads a Brand's signing keys, those that have ended too. Never a private half.
 *
 * @throws ForbiddenError for a Brand that the viewer may not see, and in the same way for one that does not exist
 */
export async function readKeyTimeline(viewer: Viewer, brandId: string): Promise<KeyTimeline> {
  const brand = await getOwner(viewer, brandId)
  const order = [{ createdAt: 'desc' }, { id: 'asc' }] as const
  const published = { in: ['next', 'active', 'retired'] as const }
  const living = await prisma().signingKey.findMany({
    where: { brandId, state: { in: [...published.in] } },
    select: columns,
    orderBy: [...order],
  })
  const ended = await prisma().signingKey.findMany({
    where: { brandId, state: { in: ['removed', 'compromised'] } },
    select: columns,
    orderBy: [...order],
    take: SHOWN,
  })
  const rows = [...living.slice(0, SHOWN), ...ended]
  const keys = await Promise.all(rows.map((row) => toShown(brandId, row, MOST_IN_TIMELINE)))
  keys.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  return { brand, keys, jwks: { keys: living.map(({ publicJwk }) => publicJwk as PublishedJwk) } }
}

/**
 * One key of a Brand.
 *
 * @throws ForbiddenError for one that the viewer may not see, and in the same way for one that does not exist
 */
export async function getKey(
  viewer: Viewer,
  kid: string,
): Promise<{ brand: KeyOwner; signingKey: ShownKey }> {
  const row = /^[\w-]{43}$/.test(kid)
    ? await prisma().signingKey.findUnique({ where: { id: kid }, select: { ...columns, brandId: true } })
    : null
  if (!row) throw new ForbiddenError('no such key')
  const { brandId, ...key } = row
  const brand = await getOwner(viewer, brandId)
  return { brand, signingKey: await toShown(brandId, key, MOST_OF_KEY) }
}
