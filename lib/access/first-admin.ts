import { prisma } from '#lib/platform/database.ts'
import { appendAudit } from './audit.ts'
import { hashPassword, makePassword } from './passwords.ts'

const DEFAULT_EMAIL = 'admin@provider.example'

/**
 * Lets somebody in at the first start: as long as no Provider admin has a way to sign in, one gets a password that must be
 * changed at the first use.
 *
 * @param wanted `ADMIN_EMAIL` and `ADMIN_PASSWORD`
 * @returns what to print, once; undefined where an admin can sign in already
 */
export async function ensureFirstAdmin(wanted: {
  email?: string | undefined
  password?: string | undefined
}): Promise<{ email: string; password: string } | undefined> {
  const email = (wanted.email ?? DEFAULT_EMAIL).toLowerCase()
  const password = wanted.password ?? makePassword()
  const passwordHash = await hashPassword(password)
  return prisma().$transaction(async (transaction) => {
    // Of two processes that start at once, one makes the admin.
    await transaction.$executeRaw`LOCK TABLE "ConsoleUser" IN SHARE ROW EXCLUSIVE MODE`
    const able = await transaction.consoleUser.count({
      where: { providerRole: 'admin', disabledAt: null, passwordHash: { not: null } },
    })
    if (able > 0) return undefined
    const data = { providerRole: 'admin', passwordHash, mustChangePassword: true } as const
    await transaction.consoleUser.upsert({ where: { email }, create: { email, ...data }, update: data })
    const actor = { kind: 'system', name: 'first start' } as const
    await appendAudit(transaction, [
      { actor, action: 'user.create', subject: email, after: { role: 'admin' } },
    ])
    return { email, password }
  })
}
