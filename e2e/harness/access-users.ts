import { Secret, TOTP } from 'otpauth'
import { beforeAll } from 'vitest'
import { hashPassword } from '#lib/access/passwords.ts'
import { startSession, viewerOf } from '#lib/access/sessions.ts'
import { prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { PASSWORD } from './console-users.ts'
import { databaseOfThisFile } from './database-of-this-file.ts'
import { BRAND_ID, OTHER_BRAND_ID } from './provision.ts'

/** Who does something in these tests, as the audit log names them. */
export const actor = { kind: 'user', id: 'u', name: 'someone@provider.example' } as const

/** The code of this moment (RFC 6238). */
export const codeOf = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret) })

/** A session of this user. @throws where none starts */
export async function begin(userId: string, method = 'password'): Promise<string> {
  const started = await startSession(userId, method)
  if (!started) throw new Error('refused')
  return started.sessionId
}

/**
 * Two Brands in a database of their own, for all tests of the file that calls this.
 *
 * @returns what adds a console user of whose address nobody knows whose it is, with the password {@link PASSWORD}
 */
export function accessOfThisFile() {
  let passwordHash = ''
  let users = 0
  databaseOfThisFile()
  beforeAll(async () => {
    passwordHash = await hashPassword(PASSWORD)
    const brand = { name: 'A Brand', description: 'd', agent: {} }
    await prisma().brand.createMany({ data: [BRAND_ID, OTHER_BRAND_ID].map((id) => ({ id, ...brand })) })
  })
  return {
    async addUser(roles: { provider?: ProviderRole; brands?: Record<string, BrandRole> }) {
      const email = `user${++users}@provider.example`
      const brands = Object.entries(roles.brands ?? {}).map(([brandId, role]) => ({ brandId, role }))
      const user = await prisma().consoleUser.create({
        data: {
          email,
          passwordHash,
          providerRole: roles.provider ?? null,
          memberships: { create: brands },
        },
        include: { memberships: true },
      })
      return { id: user.id, email, viewer: viewerOf(user) }
    },
  }
}
