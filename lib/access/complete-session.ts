import { now } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { type Actor, appendAudit } from './audit.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { openSecret } from './seal-secret.ts'
import { findTotpStep } from './totp.ts'

/** What can stand behind a password. */
export type SecondFactor = 'totp' | 'recovery' | 'passkey'

/**
 * Opens a session that waited for its second factor, under a new id: whoever saw the old one has nothing.
 *
 * @returns the new id, for the cookie; undefined when it has ended or does not wait
 */
export async function completeSession(
  transaction: Prisma.TransactionClient,
  sessionId: string,
  factor: SecondFactor,
): Promise<string | undefined> {
  const [opened] = await transaction.$queryRaw<{ id: string }[]>`
    UPDATE "ConsoleSession" SET "id" = gen_random_uuid(), "complete" = true, "challenge" = NULL,
      "method" = "method" || '+' || ${factor}
    WHERE "id" = ${sessionId}::uuid AND NOT "complete" AND "endedAt" IS NULL AND "expiresAt" > now()
    RETURNING "id"`
  return opened?.id
}

/** Each time step works once (RFC 6238 §5.2), whichever browser comes with it. */
async function takeStep(
  transaction: Prisma.TransactionClient,
  userId: string,
  sealedTotp: Uint8Array<ArrayBuffer>,
  step: bigint,
): Promise<boolean> {
  const { count } = await transaction.consoleUser.updateMany({
    where: { id: userId, sealedTotp, OR: [{ totpStep: null }, { totpStep: { lt: step } }] },
    data: { totpStep: step },
  })
  return count === 1
}

async function findFactor(
  transaction: Prisma.TransactionClient,
  user: { id: string; sealedTotp: Uint8Array<ArrayBuffer> | null },
  step: bigint | undefined,
  code: string,
): Promise<SecondFactor | undefined> {
  if (user.sealedTotp && step !== undefined) {
    return (await takeStep(transaction, user.id, user.sealedTotp, step)) ? 'totp' : undefined
  }
  return (await redeemRecoveryCode(transaction, user.id, code)) ? 'recovery' : undefined
}

/**
 * Completes a session with a code of an authenticator app, or a recovery code.
 *
 * @returns the session's new id; undefined for a wrong or used code, and for a session that does not wait for one
 */
export async function completeWithCode(
  { sessionId, userId, code }: { sessionId: string; userId: string; code: string },
  actor: Actor,
): Promise<string | undefined> {
  const user = await prisma().consoleUser.findUnique({ where: { id: userId } })
  if (!user) return undefined
  const secret = user.sealedTotp ? await openSecret(user.sealedTotp, user.id) : undefined
  const step = secret === undefined ? undefined : findTotpStep(secret, code, now())
  return prisma().$transaction(async (transaction) => {
    const factor = await findFactor(transaction, user, step, code)
    const opened = factor && (await completeSession(transaction, sessionId, factor))
    const after = opened ? { after: { secondFactor: factor } } : {}
    const action = opened ? 'session.complete' : 'session.refuse-second-factor'
    await appendAudit(transaction, [{ actor, action, subject: user.email, ...after }])
    return opened
  })
}
