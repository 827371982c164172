import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { appendAudit } from './audit.ts'
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
}

/** Whoever invited, as they are today; undefined once they may not give these roles any more. */
async function findInviter(db: Transaction, userId: string, roles: readonly InvitedRole[]) {
  const user = await db.consoleUser.findUnique({ where: { id: userId }, include: { memberships: true } })
  if (!user || user.disabledAt) return undefined
  return mayGive(viewerOf(user), roles) ? user : undefined
}

/**
 * Who holds the link need not be who has the address: for an account that exists, it may be its inviter. Only a Provider
 * admin, who could do so anyway, lets such a link set the first password of an account.
 */
async function kindOf(
  db: Transaction,
  email: string,
  inviter: { providerRole: string | null },
): Promise<FoundInvitation['kind']> {
  const account = await db.consoleUser.findUnique({ where: { email } })
  if (!account) return 'new-account'
  if (account.disabledAt) return 'closed'
  if (account.passwordHash) return 'sign-in'
  return inviter.providerRole === 'admin' ? 'new-account' : 'closed'
}

async function find(db: Transaction, token: string): Promise<FoundInvitation | undefined> {
  const row = await db.invitation.findUnique({ where: { tokenHash: hashInvitationToken(token) } })
  if (!row || row.acceptedAt || row.revokedAt || row.expiresAt <= new Date()) return undefined
  const { id, email } = row
  const roles = readRoles(row.roles)
  const inviter = await findInviter(db, row.invitedBy, roles)
  if (!inviter) return undefined
  const kind = await kindOf(db, email, inviter)
  return { id, email, roles, invitedBy: inviter.name ?? inviter.email, kind }
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
 * Accepts an invitation with a new account.
 *
 * @returns the user's id; undefined for a link that does not work, or not this way
 */
export async function acceptWithNewAccount(
  token: string,
  { name, password }: { name: string; password: string },
  address: string | undefined,
): Promise<string | undefined> {
  const passwordHash = await hashPassword(password)
  return prisma().$transaction(async (transaction) => {
    const invitation = await find(transaction, token)
    if (invitation?.kind !== 'new-account' || !(await consume(transaction, invitation))) return undefined
    const { email } = invitation
    const { id } = await transaction.consoleUser.upsert({
      where: { email },
      create: { email, name, passwordHash },
      update: { name, passwordHash, mustChangePassword: false },
    })
    await giveRoles(transaction, id, invitation.roles)
    await noteAccepted(transaction, invitation, id, address)
    return id
  })
}

/** Accepts an invitation as somebody who is signed in. @returns false for a link that does not work, or is somebody else's */
export function acceptAsUser(
  token: string,
  user: { userId: string; email: string },
  address: string | undefined,
): Promise<boolean> {
  return prisma().$transaction(async (transaction) => {
    const invitation = await find(transaction, token)
    if (!invitation || invitation.email !== user.email) return false
    if (!(await consume(transaction, invitation))) return false
    await giveRoles(transaction, user.userId, invitation.roles)
    await noteAccepted(transaction, invitation, user.userId, address)
    return true
  })
}
