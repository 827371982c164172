import { encode } from 'next-auth/jwt'
import { cookieSecret } from '#lib/access/cookie-secret.ts'
import { hashPassword } from '#lib/access/passwords.ts'
import { startSession } from '#lib/access/sessions.ts'
import { prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'

/** One user for each role; `otherManager` belongs to the other Brand alone. */
export const roles = ['admin', 'auditor', 'manager', 'viewer', 'otherManager'] as const
export type Role = (typeof roles)[number]

export const PASSWORD = 'correct horse battery'

export const emailOf = (role: Role) => `${role.toLowerCase()}@provider.example`

type Roles = { provider?: ProviderRole; brands?: Record<string, BrandRole> }

/** What each of {@link roles} has, where. */
export function rolesOf(brandId: string, otherBrandId: string): Record<Role, Roles> {
  return {
    admin: { provider: 'admin' },
    auditor: { provider: 'auditor' },
    manager: { brands: { [brandId]: 'manager' } },
    viewer: { brands: { [brandId]: 'viewer' } },
    otherManager: { brands: { [otherBrandId]: 'manager' } },
  }
}

/** Of {@link PASSWORD}: to derive it takes time on purpose. */
let passwordHash: Promise<string> | undefined

/** Makes a console user who signs in with {@link PASSWORD}, directly in the database. @returns their id */
export async function addConsoleUser(email: string, { provider, brands = {} }: Roles): Promise<string> {
  passwordHash ??= hashPassword(PASSWORD)
  const { id } = await prisma().consoleUser.create({
    data: {
      email,
      providerRole: provider ?? null,
      addressProvenAt: new Date(),
      passwordHash: await passwordHash,
      memberships: { create: Object.entries(brands).map(([brandId, role]) => ({ brandId, role })) },
    },
  })
  return id
}

/** Signs a user in as the form would, without it. @returns the cookie of the session, over http */
export async function startTestSession(userId: string): Promise<{ name: string; value: string }> {
  const session = await startSession(userId, 'password', { userAgent: 'Test' })
  const token = { sid: session?.sessionId }
  return { name: 'next-auth.session-token', value: await encode({ token, secret: await cookieSecret() }) }
}
