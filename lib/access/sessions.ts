import { prisma } from '#lib/platform/database.ts'
import type { ConsoleUser, Membership, Prisma } from '#prisma/generated/client.ts'
import { hasSecondFactor, owesSecondFactor } from './owed-second-factor.ts'
import type { Viewer } from './permissions.ts'

/** How long a session lives at most, and without being used, in seconds. */
export const SESSION_TIME = 7 * 86_400
export const SESSION_IDLE_TIME = 12 * 3_600
/** How old `lastSeenAt` may get before it is written again, in seconds. */
const SEEN_EVERY = 60

/** Where a session comes from. */
export type Origin = { address?: string | undefined; userAgent?: string | undefined }

const withUser = {
  include: { user: { include: { memberships: true, passkeys: { select: { id: true }, take: 1 } } } },
} as const
type SessionRow = Prisma.ConsoleSessionGetPayload<typeof withUser>

/** A session, and what is still to be done before the console opens. */
export type ConsoleSignIn = {
  sessionId: string
  viewer: Viewer
  /** A second factor is still owed. */
  complete: boolean
  mustChangePassword: boolean
  hasSecondFactor: boolean
  /** Admins must have a second factor, and this one has none: it is set up before anything else. */
  mustSetUpSecondFactor: boolean
}

/** A user as the viewer that they are when signed in. */
export function viewerOf(user: ConsoleUser & { memberships: Membership[] }): Viewer {
  return {
    userId: user.id,
    email: user.email,
    name: user.name,
    providerRole: user.providerRole,
    brandRoles: new Map(user.memberships.map(({ brandId, role }) => [brandId, role])),
  }
}

/** Single sign-on has its own second factor, or none: that is up to whoever runs it. */
async function owesSetUp({ method, user }: SessionRow): Promise<boolean> {
  return method !== 'oidc' && owesSecondFactor(user)
}

export type StartedSession = {
  /** For the cookie. */
  sessionId: string
  /** False: the account has a second factor, which must follow. */
  complete: boolean
}

/**
 * Starts a session.
 *
 * @param passwordHash the one that was found right: a password that changed meanwhile starts nothing
 * @returns undefined for a user who is gone or disabled
 */
export async function startSession(
  userId: string,
  method: string,
  { address, userAgent, passwordHash }: Origin & { passwordHash?: string | null } = {},
): Promise<StartedSession | undefined> {
  const anyPassword = passwordHash === undefined
  const [row] = await prisma().$queryRaw<StartedSession[]>`
    INSERT INTO "ConsoleSession" ("id", "userId", "method", "address", "userAgent", "complete", "expiresAt")
    SELECT gen_random_uuid(), "id", ${method}, ${address ?? null}, ${userAgent?.slice(0, 300) ?? null},
      "sealedTotp" IS NULL AND NOT EXISTS (SELECT FROM "Passkey" WHERE "userId" = "ConsoleUser"."id"),
      now() + ${SESSION_TIME} * interval '1 second'
    FROM "ConsoleUser" WHERE "id" = ${userId}::uuid AND "disabledAt" IS NULL
      AND (${anyPassword} OR "passwordHash" = ${passwordHash ?? null})
    RETURNING "id" AS "sessionId", "complete"`
  return row
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The session that a cookie names, with its user's present roles; undefined once it has ended, in whatever way, and when
 * its user is disabled. Notes that it was used.
 */
export async function findSession(sessionId: string): Promise<ConsoleSignIn | undefined> {
  if (!UUID.test(sessionId)) return undefined
  const [live] = await prisma().$queryRaw<{ stale: boolean }[]>`
    SELECT "lastSeenAt" < now() - ${SEEN_EVERY} * interval '1 second' AS "stale" FROM "ConsoleSession"
    WHERE "id" = ${sessionId}::uuid AND "endedAt" IS NULL AND "expiresAt" > now()
      AND "lastSeenAt" > now() - ${SESSION_IDLE_TIME} * interval '1 second'`
  if (!live) return undefined
  if (live.stale) {
    await prisma().$executeRaw`
      UPDATE "ConsoleSession" SET "lastSeenAt" = now() WHERE "id" = ${sessionId}::uuid AND "endedAt" IS NULL`
  }
  const session = await prisma().consoleSession.findUnique({ where: { id: sessionId }, ...withUser })
  if (!session || session.user.disabledAt) return undefined
  return {
    sessionId,
    viewer: viewerOf(session.user),
    complete: session.complete,
    mustChangePassword: session.user.mustChangePassword,
    hasSecondFactor: hasSecondFactor(session.user),
    mustSetUpSecondFactor: await owesSetUp(session),
  }
}

/**
 * Ends sessions of a user: one, or all but one.
 *
 * @returns how many
 */
export async function endSessions(
  userId: string,
  which: { sessionId: string } | { except?: string },
): Promise<number> {
  const id = 'sessionId' in which ? which.sessionId : which.except ? { not: which.except } : undefined
  const { count } = await prisma().consoleSession.updateMany({
    where: { userId, endedAt: null, ...(id ? { id } : {}) },
    data: { endedAt: new Date() },
  })
  return count
}
