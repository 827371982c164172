import { config } from '#lib/platform/config.ts'
import type { Prisma } from '#prisma/generated/client.ts'

/** Nobody would be left who may run the Provider. Nothing was changed. */
export class LastAdminError extends Error {
  override name = 'LastAdminError'
}

/** Those who can sign in: an admin without a password can through single sign-on alone. */
export function ableAdmins(): Prisma.ConsoleUserWhereInput {
  const byPassword = config().oidc ? {} : { passwordHash: { not: null } }
  return { providerRole: 'admin', disabledAt: null, ...byPassword }
}

/**
 * Runs what may take a Provider admin away, and refuses it when none would be left who can sign in. Such changes take
 * turns, across processes: each sees what the one before has left.
 *
 * @throws LastAdminError, which rolls the transaction back
 */
export async function keepingAnAdmin<T>(
  transaction: Prisma.TransactionClient,
  change: () => Promise<T>,
): Promise<T> {
  // In one order, so that two of them can't wait for each other.
  await transaction.$queryRaw`
    SELECT "id" FROM "ConsoleUser" WHERE "providerRole" = 'admin' ORDER BY "id" FOR UPDATE`
  const before = await transaction.consoleUser.count({ where: ableAdmins() })
  const result = await change()
  const after = await transaction.consoleUser.count({ where: ableAdmins() })
  if (before > 0 && after === 0) throw new LastAdminError('Nobody else is a Provider admin who can sign in')
  return result
}
