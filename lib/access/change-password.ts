import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { hashPassword, isPassword } from './passwords.ts'

/**
 * Gives a user the password that they chose, and ends their other sessions. A wrong present password is noted.
 *
 * @returns false for a wrong present password, and when somebody changed it meanwhile
 */
export async function changePassword(
  userId: string,
  { present, next, keepSession }: { present: string; next: string; keepSession: string },
  actor: Actor,
): Promise<boolean> {
  const user = await prisma().consoleUser.findUnique({ where: { id: userId } })
  if (!user || !(await isPassword(present, user.passwordHash))) {
    const entry = { actor, action: 'user.refuse-password-change' as const, subject: actor.name }
    await prisma().$transaction((transaction) => appendAudit(transaction, [entry]))
    return false
  }
  const passwordHash = await hashPassword(next)
  return prisma().$transaction(async (transaction) => {
    const { count } = await transaction.consoleUser.updateMany({
      where: { id: userId, passwordHash: user.passwordHash },
      data: { passwordHash, mustChangePassword: false },
    })
    if (count !== 1) return false
    await transaction.consoleSession.updateMany({
      where: { userId, endedAt: null, id: { not: keepSession } },
      data: { endedAt: new Date() },
    })
    await appendAudit(transaction, [{ actor, action: 'user.change-password', subject: user.email }])
    return true
  })
}

/** Whether a user has a password; who signs in through single sign-on alone has none. */
export async function hasPassword(userId: string): Promise<boolean> {
  const user = await prisma().consoleUser.findUnique({
    where: { id: userId },
    select: { passwordHash: true },
  })
  return user?.passwordHash !== null && user !== null
}
