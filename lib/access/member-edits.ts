import { prisma } from '#lib/platform/database.ts'
import type { BrandRole, Prisma, ProviderRole } from '#prisma/generated/client.ts'
import { type Actor, appendAudit } from './audit.ts'
import { dropUnprovenCredentials } from './drop-credentials.ts'
import { keepingAnAdmin } from './last-admin.ts'
import { assertMay, ForbiddenError, type Viewer } from './permissions.ts'

/** What became of an edit: `stale` when it is not any more as the editor saw it. */
export type EditResult = 'done' | 'stale'

type Transaction = Prisma.TransactionClient

async function getUser(transaction: Transaction, userId: string) {
  const user = await transaction.consoleUser.findUnique({ where: { id: userId } })
  if (!user) throw new ForbiddenError('no such user')
  return user
}

/** Whether a role at the Provider allows more than the one before. */
export function isRaised(from: ProviderRole | null, to: ProviderRole | null): boolean {
  return to !== null && to !== from && from !== 'admin'
}

/**
 * Gives a user another role at the Provider, or none. Raised, an account whose address nobody has proven loses what signs
 * in to it.
 *
 * @param change.from the role that the editor saw
 * @throws ForbiddenError; LastAdminError
 */
export async function changeProviderRole(
  viewer: Viewer,
  actor: Actor,
  { userId, from, to }: { userId: string; from: ProviderRole | null; to: ProviderRole | null },
): Promise<EditResult> {
  assertMay(viewer, 'members.write')
  return prisma().$transaction(async (transaction) => {
    const user = await getUser(transaction, userId)
    const { count } = await keepingAnAdmin(transaction, () =>
      transaction.consoleUser.updateMany({
        where: { id: userId, providerRole: from },
        data: { providerRole: to },
      }),
    )
    if (count !== 1) return 'stale'
    if (isRaised(from, to)) await dropUnprovenCredentials(transaction, userId, actor)
    const sides = { before: { 'roles.provider': from }, after: { 'roles.provider': to } }
    await appendAudit(transaction, [{ actor, action: 'console-user.update', subject: user.email, ...sides }])
    return 'done'
  })
}

async function writeMembership(
  transaction: Transaction,
  {
    userId,
    brandId,
    from,
    to,
  }: { userId: string; brandId: string; from: BrandRole | null; to: BrandRole | null },
): Promise<boolean> {
  if (from === null) {
    if (to === null) return true
    const { count } = await transaction.membership.createMany({
      data: { userId, brandId, role: to },
      skipDuplicates: true,
    })
    return count === 1
  }
  const where = { userId, brandId, role: from }
  const { count } =
    to === null
      ? await transaction.membership.deleteMany({ where })
      : await transaction.membership.updateMany({ where, data: { role: to } })
  return count === 1
}

/** Whether the viewer may know of a user: their Brand's managers know its members, and nobody else. */
async function assertKnown(transaction: Transaction, viewer: Viewer, userId: string, brandId: string) {
  assertMay(viewer, 'members.write', brandId)
  if (viewer.providerRole) return
  const member = await transaction.membership.findUnique({ where: { userId_brandId: { userId, brandId } } })
  if (!member) throw new ForbiddenError('not a member of that Brand')
}

/**
 * Gives a user another role at a Brand, or takes them off it. Managers change only who is a member already; others they
 * invite.
 *
 * @param change.from the role that the editor saw
 * @throws ForbiddenError
 */
export async function changeBrandRole(
  viewer: Viewer,
  actor: Actor,
  change: { userId: string; brandId: string; from: BrandRole | null; to: BrandRole | null },
): Promise<EditResult> {
  const { userId, brandId, from, to } = change
  return prisma().$transaction(async (transaction) => {
    await assertKnown(transaction, viewer, userId, brandId)
    const user = await getUser(transaction, userId)
    const brand = await transaction.brand.findUnique({ where: { id: brandId }, select: { id: true } })
    if (!brand) throw new ForbiddenError('no such Brand')
    if (!(await writeMembership(transaction, change))) return 'stale'
    const field = `roles.brands.${brandId}`
    const sides = { before: { [field]: from }, after: { [field]: to } }
    await appendAudit(transaction, [
      { actor, action: 'console-user.update', subject: user.email, brandId, ...sides },
    ])
    return 'done'
  })
}

/**
 * Shuts a user out, everywhere and at once, or lets them in again. Their sessions end.
 *
 * @throws ForbiddenError; LastAdminError
 */
export async function setMemberDisabled(
  viewer: Viewer,
  actor: Actor,
  { userId, disabled }: { userId: string; disabled: boolean },
): Promise<EditResult> {
  assertMay(viewer, 'members.write')
  if (userId === viewer.userId) throw new ForbiddenError('nobody disables themselves')
  return prisma().$transaction(async (transaction) => {
    const user = await getUser(transaction, userId)
    const now = new Date()
    const { count } = await keepingAnAdmin(transaction, () =>
      transaction.consoleUser.updateMany({
        where: { id: userId, disabledAt: disabled ? null : { not: null } },
        data: { disabledAt: disabled ? now : null },
      }),
    )
    if (count !== 1) return 'stale'
    await transaction.consoleSession.updateMany({ where: { userId, endedAt: null }, data: { endedAt: now } })
    const action = disabled ? 'console-user.disable' : 'console-user.enable'
    await appendAudit(transaction, [{ actor, action, subject: user.email }])
    return 'done'
  })
}
