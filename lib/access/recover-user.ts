import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { hashPassword, makePassword } from './passwords.ts'

export type Recovery =
  | { kind: 'recovered'; password: string; secondFactorLeft: boolean }
  | { kind: 'unknown' }
  | { kind: 'disabled' }

/**
 * Lets a console user in who is locked out: with a password that must be changed at its first use. Their sessions end.
 *
 * @param options.resetSecondFactor also removes authenticator app, passkeys and recovery codes
 */
export async function recoverUser(
  email: string,
  { resetSecondFactor }: { resetSecondFactor: boolean },
  actor: Actor,
): Promise<Recovery> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  return prisma().$transaction(async (transaction) => {
    const user = await transaction.consoleUser.findUnique({ where: { email: email.trim().toLowerCase() } })
    if (!user) return { kind: 'unknown' }
    if (user.disabledAt) return { kind: 'disabled' }
    const userId = user.id
    await transaction.consoleUser.update({
      where: { id: userId },
      data: { passwordHash, mustChangePassword: true, ...(resetSecondFactor ? { sealedTotp: null } : {}) },
    })
    if (resetSecondFactor) {
      await transaction.passkey.deleteMany({ where: { userId } })
      await transaction.recoveryCode.deleteMany({ where: { userId } })
    }
    await transaction.consoleSession.updateMany({
      where: { userId, endedAt: null },
      data: { endedAt: new Date() },
    })
    const passkeys = await transaction.passkey.count({ where: { userId } })
    const secondFactorLeft = !resetSecondFactor && (user.sealedTotp !== null || passkeys > 0)
    const entry = {
      actor,
      action: 'user.recover' as const,
      subject: user.email,
      after: { resetSecondFactor },
    }
    await appendAudit(transaction, [entry])
    return { kind: 'recovered', password, secondFactorLeft }
  })
}
