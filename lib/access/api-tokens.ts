import { createHash, randomBytes } from 'node:crypto'
import { prisma } from '#lib/platform/database.ts'
import type { ApiToken, Prisma } from '#prisma/generated/client.ts'
import type { NewToken } from './api-token-schema.ts'
import { type Actor, appendAudit } from './audit.ts'
import { assertMay, ForbiddenError, may, mayAnywhere, type Permission, type Viewer } from './permissions.ts'

/** How many live tokens one user may have. */
export const MOST_TOKENS = 50
/** A token's first characters, by which people tell tokens apart: 36 bits of its 256 are shown. */
const PREFIX_LENGTH = 'pact_'.length + 6
const LISTED = 200

/** A user has as many live tokens as they may. */
export class TooManyTokensError extends Error {
  override name = 'TooManyTokensError'
}

/** What is stored of a token in its place: SHA-256. Its 256 random bits need no slower hash. */
export function hashApiToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}

/** A token as its owner sees it. */
export type OwnToken = Pick<
  ApiToken,
  'id' | 'name' | 'prefix' | 'permissions' | 'brandId' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
>

/** Whether somebody may give a permission to a token: for one Brand, they have it there; otherwise, somewhere. */
export function mayGiveToToken(viewer: Viewer, permission: Permission, brandId: string | undefined): boolean {
  return brandId === undefined ? mayAnywhere(viewer, permission) : may(viewer, permission, brandId)
}

/** Locked: an account that is raised or disabled at this moment is seen as it then is. */
async function assertStill(
  transaction: Prisma.TransactionClient,
  { userId, providerRole }: Viewer,
): Promise<void> {
  const [user] = await transaction.$queryRaw<{ providerRole: string | null }[]>`
    SELECT "providerRole"::text FROM "ConsoleUser" WHERE "id" = ${userId}::uuid AND "disabledAt" IS NULL FOR UPDATE`
  if (!user || user.providerRole !== providerRole) throw new ForbiddenError('the account has changed')
}

/**
 * Makes an API token of a person's own. Its rights are looked up anew at each use: it never allows more than they may then.
 *
 * @returns `token`: shown this once
 * @throws ForbiddenError for a permission that they do not have, and for an API token: none makes another;
 *   TooManyTokensError
 */
export async function makeApiToken(
  viewer: Viewer,
  actor: Actor,
  { name, days, permissions, brandId }: NewToken,
): Promise<{ id: string; token: string; prefix: string; expiresAt: Date }> {
  if (viewer.only) throw new ForbiddenError('an API token makes no other')
  if (brandId !== undefined) assertMay(viewer, 'brands.read', brandId)
  const missing = permissions.find((permission) => !mayGiveToToken(viewer, permission, brandId))
  if (missing) throw new ForbiddenError(`${viewer.email} may not: ${missing}`)
  const token = `pact_${randomBytes(32).toString('base64url')}`
  const prefix = token.slice(0, PREFIX_LENGTH)
  const expiresAt = new Date(Date.now() + days * 86_400_000)
  return prisma().$transaction(async (transaction) => {
    await assertStill(transaction, viewer)
    const live = { userId: viewer.userId, revokedAt: null, expiresAt: { gt: new Date() } }
    if ((await transaction.apiToken.count({ where: live })) >= MOST_TOKENS) throw new TooManyTokensError()
    const given = [...new Set(permissions)]
    const { id } = await transaction.apiToken.create({
      data: {
        userId: viewer.userId,
        name,
        prefix,
        permissions: given,
        brandId: brandId ?? null,
        tokenHash: hashApiToken(token),
        expiresAt,
      },
    })
    const after = { id, prefix, permissions: given, expiresAt }
    const ofBrand = brandId === undefined ? {} : { brandId }
    await appendAudit(transaction, [{ actor, action: 'api-token.create', subject: name, after, ...ofBrand }])
    return { id, token, prefix, expiresAt }
  })
}

/** Those of a person's tokens that a viewer may know of: an API token of one Brand knows that Brand's. */
function ownTokens({ userId, only }: Viewer): Prisma.ApiTokenWhereInput {
  return { userId, revokedAt: null, ...(only?.brandId ? { brandId: only.brandId } : {}) }
}

/** A person's tokens that were not revoked, the newest first; those that have expired too. @throws ForbiddenError */
export async function listOwnTokens(viewer: Viewer): Promise<OwnToken[]> {
  if (!mayAnywhere(viewer, 'api-tokens.read')) throw new ForbiddenError('may not see API tokens')
  return prisma().apiToken.findMany({
    where: ownTokens(viewer),
    omit: { tokenHash: true, userId: true, revokedAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LISTED,
  })
}

/**
 * Ends one of a person's own tokens at once.
 *
 * @returns false when it was revoked before
 * @throws ForbiddenError for one that is not theirs, and in the same way for one that does not exist
 */
export async function revokeOwnToken(viewer: Viewer, actor: Actor, id: string): Promise<boolean> {
  if (!mayAnywhere(viewer, 'api-tokens.write')) throw new ForbiddenError('may not revoke API tokens')
  return prisma().$transaction(async (transaction) => {
    const { revokedAt: _, ...anyState } = ownTokens(viewer)
    const token = await transaction.apiToken.findFirst({ where: { id, ...anyState } })
    if (!token) throw new ForbiddenError('no such token')
    const { count } = await transaction.apiToken.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (count !== 1) return false
    const { name, prefix, brandId } = token
    const entry = { actor, action: 'api-token.revoke' as const, subject: name, before: { id, prefix } }
    await appendAudit(transaction, [{ ...entry, ...(brandId ? { brandId } : {}) }])
    return true
  })
}
