import { prisma } from '#lib/platform/database.ts'
import { hashApiToken } from './api-tokens.ts'
import type { Actor } from './audit.ts'
import { owesSecondFactor } from './owed-second-factor.ts'
import type { Viewer } from './permissions.ts'
import { viewerOf } from './sessions.ts'

/** How old `lastUsedAt` may get before it is written again, in seconds. */
const USED_EVERY = 60

const TOKEN = /^pact_[\w-]{43}$/

/** Whoever calls the API: an owner as they are now, narrowed to what their token is for. */
export type TokenCaller = {
  tokenId: string
  viewer: Viewer
  actor: Actor
  /** The Provider demands a second factor of its owner, who has none: until then the token is for nothing. */
  owesSecondFactor: boolean
}

const withOwner = {
  include: { user: { include: { memberships: true, passkeys: { select: { id: true }, take: 1 } } } },
} as const

async function noteUse(tokenId: string, lastUsedAt: Date | null): Promise<void> {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < USED_EVERY * 1_000) return
  await prisma().$executeRaw`
    UPDATE "ApiToken" SET "lastUsedAt" = now() WHERE "id" = ${tokenId}::uuid
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - ${USED_EVERY} * interval '1 second')`
}

/**
 * Who calls with an API token. Its owner's roles are read anew each time, so that it never allows more than they may. Looked
 * up by its hash: how long that takes says nothing about a token that is stored.
 *
 * @param token as the caller has it
 * @param address where the request comes from, for the audit log
 * @returns undefined for one that is unknown, revoked or expired, and while its owner is disabled or must choose a password
 */
export async function findTokenCaller(token: string, address?: string): Promise<TokenCaller | undefined> {
  if (!TOKEN.test(token)) return undefined
  const stored = await prisma().apiToken.findUnique({
    where: { tokenHash: hashApiToken(token), revokedAt: null, expiresAt: { gt: new Date() } },
    ...withOwner,
  })
  if (!stored || stored.user.disabledAt || stored.user.mustChangePassword) return undefined
  await noteUse(stored.id, stored.lastUsedAt)
  const { id, name, permissions, brandId, user } = stored
  return {
    tokenId: id,
    viewer: { ...viewerOf(user), only: { permissions, brandId } },
    // Whoever has no password signs in by single sign-on, which has its own second factor, or none.
    owesSecondFactor: user.passwordHash !== null && (await owesSecondFactor(user)),
    actor: { kind: 'token', id, name: `${name} (${user.email})`, ...(address ? { address } : {}) },
  }
}
