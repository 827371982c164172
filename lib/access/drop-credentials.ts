import type { Prisma } from '#prisma/generated/client.ts'
import { type Actor, appendAudit } from './audit.ts'

type Transaction = Prisma.TransactionClient

/** Takes every way in from an account: password, second factors, API tokens, and the sessions that it has. */
export async function dropCredentials(transaction: Transaction, userId: string): Promise<void> {
  await transaction.consoleUser.update({
    where: { id: userId },
    data: { passwordHash: null, mustChangePassword: false, sealedTotp: null },
  })
  await transaction.passkey.deleteMany({ where: { userId } })
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  const now = new Date()
  await transaction.apiToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: now } })
  await transaction.consoleSession.updateMany({ where: { userId, endedAt: null }, data: { endedAt: now } })
}

/**
 * Before an account gets a role at the Provider: as long as nobody has shown that its address is theirs, whoever made it
 * may be somebody else, and what signed in to it before does so no more. Its owner comes in by single sign-on or by an
 * admin's invitation.
 */
export async function dropUnprovenCredentials(
  transaction: Transaction,
  userId: string,
  actor: Actor,
): Promise<void> {
  // Locked: a password that is being chosen at this moment is seen, or comes too late.
  const [user] = await transaction.$queryRaw<{ email: string }[]>`
    SELECT "email" FROM "ConsoleUser" WHERE "id" = ${userId}::uuid AND "addressProvenAt" IS NULL FOR UPDATE`
  if (!user) return
  await dropCredentials(transaction, userId)
  await appendAudit(transaction, [{ actor, action: 'user.drop-credentials', subject: user.email }])
}
