import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { appendAudit } from './audit.ts'
import { ableAdmins } from './last-admin.ts'
import { hashPassword, makePassword } from './passwords.ts'

const DEFAULT_EMAIL = 'admin@provider.example'

/** Whether an account may become the first admin's: nobody signs in to it, and nobody has shut it. */
async function isFree(transaction: Prisma.TransactionClient, email: string): Promise<boolean> {
  const account = await transaction.consoleUser.findUnique({ where: { email } })
  return !account || (!account.disabledAt && !account.passwordHash && !config().oidc)
}

async function findFreeEmail(transaction: Prisma.TransactionClient, wanted: string): Promise<string> {
  if (await isFree(transaction, wanted)) return wanted
  for (let number = 1; ; number++) {
    const email = number === 1 ? DEFAULT_EMAIL : DEFAULT_EMAIL.replace('@', `-${number}@`)
    if (await isFree(transaction, email)) return email
  }
}

/**
 * Lets somebody in at the first start: as long as no Provider admin has a way to sign in, one gets a password that must be
 * changed at the first use. An account that somebody uses, or that was disabled, stays as it is: another address is taken.
 *
 * @param wanted `ADMIN_EMAIL` and `ADMIN_PASSWORD`
 * @returns what to print, once, without a password that was given; undefined where an admin can sign in already
 */
export async function ensureFirstAdmin(wanted: {
  email?: string | undefined
  password?: string | undefined
}): Promise<{ email: string; madePassword?: string } | undefined> {
  const madePassword = wanted.password === undefined ? makePassword() : undefined
  const passwordHash = await hashPassword(wanted.password ?? madePassword ?? '')
  return prisma().$transaction(async (transaction) => {
    // Of two processes that start at once, one makes the admin.
    await transaction.$executeRaw`LOCK TABLE "ConsoleUser" IN SHARE ROW EXCLUSIVE MODE`
    if ((await transaction.consoleUser.count({ where: ableAdmins() })) > 0) return undefined
    const email = await findFreeEmail(transaction, (wanted.email ?? DEFAULT_EMAIL).toLowerCase())
    const data = { passwordHash, mustChangePassword: true, addressProvenAt: new Date() }
    const admin = { providerRole: 'admin', ...data } as const
    await transaction.consoleUser.upsert({ where: { email }, create: { email, ...admin }, update: admin })
    const actor = { kind: 'system', name: 'first start' } as const
    await appendAudit(transaction, [
      { actor, action: 'user.create', subject: email, after: { role: 'admin' } },
    ])
    return { email, ...(madePassword ? { madePassword } : {}) }
  })
}
