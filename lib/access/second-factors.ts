import { now } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { type Actor, appendAudit } from './audit.ts'
import { cookieSecret } from './cookie-secret.ts'
import { isPassword } from './passwords.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { sealSecret } from './seal-secret.ts'
import { findTotpStep, offeredTotpSecret } from './totp.ts'

/** A user's second factors, for their own account page. */
export type SecondFactors = {
  totp: boolean
  passkeys: { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[]
  /** Recovery codes that still work. */
  recoveryCodes: number
}

export async function listSecondFactors(userId: string): Promise<SecondFactors> {
  const user = await prisma().consoleUser.findUniqueOrThrow({
    where: { id: userId },
    include: {
      passkeys: { orderBy: { createdAt: 'asc' } },
      _count: { select: { recoveryCodes: { where: { usedAt: null } } } },
    },
  })
  return {
    totp: user.sealedTotp !== null,
    passkeys: user.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
    })),
    recoveryCodes: user._count.recoveryCodes,
  }
}

/** The secret to be scanned, in Base32, as long as this session sets it up. */
export async function offerTotp(userId: string, sessionId: string): Promise<string> {
  const { totpStep } = await prisma().consoleUser.findUniqueOrThrow({
    where: { id: userId },
    select: { totpStep: true },
  })
  return offeredTotpSecret(await cookieSecret(), { userId, sessionId, lastStep: totpStep })
}

/** With the first second factor come recovery codes; who has some keeps them. */
export async function codesForFirstFactor(
  transaction: Prisma.TransactionClient,
  userId: string,
): Promise<string[]> {
  const left = await transaction.recoveryCode.count({ where: { userId, usedAt: null } })
  return left > 0 ? [] : replaceRecoveryCodes(transaction, userId)
}

/**
 * Turns on the codes of an authenticator app, once one of its codes shows that it has the secret.
 *
 * @returns the new recovery codes, none where the user has some; undefined for a wrong code, and where it is on already
 */
export async function confirmTotp(
  { userId, sessionId, code }: { userId: string; sessionId: string; code: string },
  actor: Actor,
): Promise<string[] | undefined> {
  const secret = await offerTotp(userId, sessionId)
  const step = findTotpStep(secret, code, now())
  if (step === undefined) return undefined
  const sealedTotp = await sealSecret(secret, userId)
  return prisma().$transaction(async (transaction) => {
    const { count } = await transaction.consoleUser.updateMany({
      where: { id: userId, sealedTotp: null },
      data: { sealedTotp, totpStep: step },
    })
    if (count !== 1) return undefined
    const codes = await codesForFirstFactor(transaction, userId)
    await appendAudit(transaction, [{ actor, action: 'user.add-totp', subject: actor.name }])
    return codes
  })
}

/** Whether what was typed is the user's password. Without a password (single sign-on) there is nothing to ask for. */
export async function confirmPassword(userId: string, password: string): Promise<boolean> {
  const user = await prisma().consoleUser.findUnique({ where: { id: userId } })
  return user !== null && (user.passwordHash === null || (await isPassword(password, user.passwordHash)))
}

/** Without a second factor, recovery codes stand in for nothing. */
async function dropUselessCodes(transaction: Prisma.TransactionClient, userId: string): Promise<void> {
  const left = await transaction.consoleUser.count({
    where: { id: userId, OR: [{ sealedTotp: { not: null } }, { passkeys: { some: {} } }] },
  })
  if (left === 0) await transaction.recoveryCode.deleteMany({ where: { userId } })
}

/** Turns the codes of an authenticator app off. The password was asked for before. */
export async function removeTotp(userId: string, actor: Actor): Promise<void> {
  await prisma().$transaction(async (transaction) => {
    const { count } = await transaction.consoleUser.updateMany({
      where: { id: userId, sealedTotp: { not: null } },
      data: { sealedTotp: null },
    })
    if (count !== 1) return
    await dropUselessCodes(transaction, userId)
    await appendAudit(transaction, [{ actor, action: 'user.remove-totp', subject: actor.name }])
  })
}

/** Removes a passkey of the user's own. The password was asked for before. */
export async function removePasskey(userId: string, passkeyId: string, actor: Actor): Promise<void> {
  await prisma().$transaction(async (transaction) => {
    const { count } = await transaction.passkey.deleteMany({ where: { id: passkeyId, userId } })
    if (count !== 1) return
    await dropUselessCodes(transaction, userId)
    await appendAudit(transaction, [{ actor, action: 'user.remove-passkey', subject: actor.name }])
  })
}

/** New recovery codes in place of the old ones. The password was asked for before. */
export function renewRecoveryCodes(userId: string, actor: Actor): Promise<string[]> {
  return prisma().$transaction(async (transaction) => {
    const codes = await replaceRecoveryCodes(transaction, userId)
    await appendAudit(transaction, [{ actor, action: 'user.renew-recovery-codes', subject: actor.name }])
    return codes
  })
}
