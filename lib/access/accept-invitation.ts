import { prisma } from '#lib/platform/database.ts'
import type { ConsoleUser, Prisma } from '#prisma/generated/client.ts'
import { appendAudit } from './audit.ts'
import { dropCredentials } from './drop-credentials.ts'
import { hashInvitationToken, type InvitedRole, mayGive, readRoles } from './invitations.ts'
import { hashPassword } from './passwords.ts'
import { viewerOf } from './sessions.ts'

type Transaction = Prisma.TransactionClient

/**
 * What a link leads to. `new-account`: name and password are chosen; `sign-in`: there is an account, and only who signs in
 * to it may accept; `closed`: there is an account without a password, and the inviter may not give it one.
 */
export type FoundInvitation = {
  id: string
  email: string
  roles: InvitedRole[]
  invitedBy: string
  kind: 'new-account' | 'sign-in' | 'closed'
  /** Only the address's owner has the link, or a Provider admin vouches for whoever has it. */
  proves: boolean
  /** The account exists, and somebody else may have made it: who accepts starts it anew. */
  restarts: boolean
}

/** Whoever invited, as they are today; undefined once they may not give these roles any more. */
async function findInviter(db: Transaction, userId: string, roles: readonly InvitedRole[]) {
  const user = await db.consoleUser.findUnique({ where: { id: userId }, include: { memberships: true } })
  if (!user || user.disabledAt) return undefined
  return mayGive(viewerOf(user), roles) ? user : undefined
}

/**
 * Who holds the link need not be who has the address: it may be its inviter. A link that proves the address starts an
 * account anew which somebody else may have made, and sets the first password of one; others do neither.
 */
function kindOf(account: ConsoleUser | null, proves: boolean): FoundInvitation['kind'] {
  if (!account) return 'new-account'
  if (account.disabledAt) return 'closed'
  if (proves && !account.addressProvenAt) return 'new-account'
  if (account.passwordHash) return 'sign-in'
  return proves ? 'new-account' : 'closed'
}

async function find(db: Transaction, token: string): Promise<FoundInvitation | undefined> {
  const row = await db.invitation.findUnique({ where: { tokenHash: hashInvitationToken(token) } })
  if (!row || row.acceptedAt || row.revokedAt || row.expiresAt <= new Date()) return undefined
  const { id, email } = row
  const roles = readRoles(row.roles)
  const inviter = await findInviter(db, row.invitedBy, roles)
  if (!inviter) return undefined
  const proves = row.mailedAt !== null || inviter.providerRole === 'admin'
  const account = await db.consoleUser.findUnique({ where: { email } })
  const kind = kindOf(account, proves)
  const restarts = kind === 'new-account' && account !== null && account.addressProvenAt === null
  return { id, email, roles, invitedBy: inviter.name ?? inviter.email, kind, proves, restarts }
}

/**
 * The invitation behind a link; undefined once it was used, taken back or has expired, and once its inviter may not give
 * its roles any more. Changes nothing.
 */
export function findInvitation(token: string): Promise<FoundInvitation | undefined> {
  return find(prisma(), token)
}

/** What was given stays where it is higher: an invitation takes nothing away. */
async function giveRoles(transaction: Transaction, userId: string, roles: readonly InvitedRole[]) {
  for (const role of roles) {
    if ('provider' in role) {
      const where = { id: userId, OR: [{ providerRole: null }, { providerRole: 'auditor' as const }] }
      await transaction.consoleUser.updateMany({ where, data: { providerRole: role.provider } })
      continue
    }
    // The Brand may be gone since.
    if (!(await transaction.brand.findUnique({ where: { id: role.brand }, select: { id: true } }))) continue
    await transaction.membership.upsert({
      where: { userId_brandId: { userId, brandId: role.brand } },
      create: { userId, brandId: role.brand, role: role.role },
      update: role.role === 'manager' ? { role: 'manager' } : {},
    })
  }
}

async function consume(transaction: Transaction, { id }: FoundInvitation): Promise<boolean> {
  const { count } = await transaction.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { acceptedAt: new Date() },
  })
  return count === 1
}

async function noteAccepted(
  transaction: Transaction,
  invitation: FoundInvitation,
  userId: string,
  address: string | undefined,
) {
  const { email, roles } = invitation
  const brandId = roles.flatMap((role) => ('brand' in role ? [role.brand] : []))[0]
  const actor = { kind: 'user', id: userId, name: email, ...(address ? { address } : {}) } as const
  await appendAudit(transaction, [
    { actor, action: 'invitation.accept', subject: email, after: { roles }, ...(brandId ? { brandId } : {}) },
  ])
}

/**
 * Makes the account, or takes over one that has no password or that somebody else may have made: of that one, nothing that
 * signed in before does so any more.
 */
async function writeAccount(
  transaction: Transaction,
  { email, proves }: FoundInvitation,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<string> {
  const data = { name, passwordHash, mustChangePassword: false }
  const proven = proves ? { addressProvenAt: new Date() } : {}
  const known = await transaction.consoleUser.findUnique({ where: { email } })
  if (!known) {
    return (await transaction.consoleUser.create({ data: { email, ...data, ...proven } })).id
  }
  if (!known.addressProvenAt) await dropCredentials(transaction, known.id)
  await transaction.consoleSession.updateMany({
    where: { userId: known.id, endedAt: null },
    data: { endedAt: new Date() },
  })
  await transaction.consoleUser.update({ where: { id: known.id }, data: { ...data, ...proven } })
  return known.id
}

/** Links to one address take turns: each sees the account that the one before has made. */
async function lockAddress(transaction: Transaction, email: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`invitation ${email}`}, 0))`
  await transaction.$queryRaw`SELECT "id" FROM "ConsoleUser" WHERE "email" = ${email} FOR UPDATE`
}

async function findLocked(transaction: Transaction, token: string): Promise<FoundInvitation | undefined> {
  const invitation = await find(transaction, token)
  if (!invitation) return undefined
  await lockAddress(transaction, invitation.email)
  return find(transaction, token)
}

/**
 * Accepts an invitation with a new account.
 *
 * @returns the user's id, and whether they still owe a second factor that their account had; undefined for a link that does
 *   not work, or not this way
 */
export async function acceptWithNewAccount(
  token: string,
  { name, password }: { name: string; password: string },
  address: string | undefined,
): Promise<{ userId: string; email: string; owesSecondFactor: boolean } | undefined> {
  const passwordHash = await hashPassword(password)
  return prisma().$transaction(async (transaction) => {
    const invitation = await findLocked(transaction, token)
    if (invitation?.kind !== 'new-account' || !(await consume(transaction, invitation))) return undefined
    const userId = await writeAccount(transaction, invitation, { name, passwordHash })
    await giveRoles(transaction, userId, invitation.roles)
    await noteAccepted(transaction, invitation, userId, address)
    const owing = await transaction.consoleUser.count({
      where: { id: userId, OR: [{ sealedTotp: { not: null } }, { passkeys: { some: {} } }] },
    })
    return { userId, email: invitation.email, owesSecondFactor: owing > 0 }
  })
}

/**
 * Accepts an invitation as somebody who is signed in. Where the link starts the account anew, that is not enough: the session
 * may be somebody else's.
 *
 * @returns false for a link that does not work, or is somebody else's
 */
export function acceptAsUser(
  token: string,
  user: { userId: string; email: string },
  address: string | undefined,
): Promise<boolean> {
  return prisma().$transaction(async (transaction) => {
    const invitation = await findLocked(transaction, token)
    if (!invitation || invitation.email !== user.email || invitation.restarts) return false
    if (!(await consume(transaction, invitation))) return false
    await giveRoles(transaction, user.userId, invitation.roles)
    await noteAccepted(transaction, invitation, user.userId, address)
    return true
  })
}
