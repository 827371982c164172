import { createHash } from 'node:crypto'
import type { Prisma } from '#prisma/generated/client.ts'
import { randomGroups } from './passwords.ts'

/** How many a user gets, to be used once each. */
const COUNT = 10

function hashCode(code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    createHash('sha256')
      .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
      .digest(),
  )
}

/**
 * Gives a user new recovery codes; the old ones stop working. 3 groups of 5, about 74 bits: too many to be guessed from
 * the hash.
 *
 * @returns the codes, which nobody can show again
 */
export async function replaceRecoveryCodes(
  transaction: Prisma.TransactionClient,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => randomGroups(3))
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  await transaction.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashCode(code) })),
  })
  return codes
}

/** Uses up a recovery code. @returns false for one that is none, or was used before */
export async function redeemRecoveryCode(
  transaction: Prisma.TransactionClient,
  userId: string,
  code: string,
): Promise<boolean> {
  const { count } = await transaction.recoveryCode.updateMany({
    where: { userId, codeHash: hashCode(code), usedAt: null },
    data: { usedAt: new Date() },
  })
  return count === 1
}
