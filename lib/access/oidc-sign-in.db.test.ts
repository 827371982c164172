import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { oidcRolesSchema } from '#lib/platform/oidc-roles.ts'
import { signInWithOidc } from './oidc-sign-in.ts'
import { hashPassword } from './passwords.ts'
import { findSession, startSession } from './sessions.ts'
import { signInWithPassword } from './sign-in.ts'

const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const GONE = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const rules = oidcRolesSchema.parse(
  `groups:admins=admin; groups:loom=viewer@${BRAND}; groups:gone=viewer@${GONE}`,
)
const claims = (email: string, ...groups: string[]) => ({ email, email_verified: true, groups })
const signIn = (given: Record<string, unknown>) => signInWithOidc(given, rules, undefined)
const rolesOf = async (email: string) => {
  const user = await prisma().consoleUser.findUnique({ where: { email }, include: { memberships: true } })
  return user && [user.providerRole, ...user.memberships.map(({ role }) => role)]
}

beforeAll(async () => {
  setDatabaseUrl((await freshDatabase()).url)
  await prisma().brand.create({ data: { id: BRAND, name: 'B', description: 'd', agent: {} } })
})
afterAll(closeDatabase)

describe('single sign-on', () => {
  it('needs a verified address and a role; a Brand that is gone gives none', async () => {
    const email = 'a@elsewhere.example'
    expect(await signIn({ groups: ['admins'] })).toEqual({ ok: false, reason: 'no-email' })
    const unverified = { ...claims(email, 'admins'), email_verified: 'true' }
    expect(await signIn(unverified)).toEqual({ ok: false, reason: 'unverified' })
    expect(await signIn(claims(email, 'gone', 'others'))).toEqual({ ok: false, reason: 'no-role' })
    expect(await rolesOf(email)).toBeNull()
    expect(await signIn(claims('A@Elsewhere.example', 'loom'))).toMatchObject({ ok: true })
    expect(await rolesOf(email)).toEqual([null, 'viewer'])
    expect(await signIn(claims(email))).toEqual({ ok: false, reason: 'no-role' })
    expect(await rolesOf(email)).toEqual([null])
  })

  it('ends every other way into an account that it makes more powerful', async () => {
    const email = 'squatted@elsewhere.example'
    const password = 'a password of somebody else'
    const { id } = await prisma().consoleUser.create({
      data: {
        email,
        passwordHash: await hashPassword(password),
        addressProvenAt: new Date(),
        memberships: { create: { brandId: BRAND, role: 'viewer' } },
      },
    })
    const session = (await startSession(id, 'password'))?.sessionId ?? ''
    expect(await signIn(claims(email, 'loom'))).toMatchObject({ ok: true })
    expect(await findSession(session)).toBeDefined()
    expect(await signIn(claims(email, 'loom', 'admins'))).toMatchObject({ ok: true })
    expect(await findSession(session)).toBeUndefined()
    expect(await signInWithPassword({ email, password }, {})).toBeUndefined()
  })

  it('ends every other way into an account whose address nobody had proven', async () => {
    const email = 'unproven@elsewhere.example'
    const password = 'a password of somebody else'
    const memberships = { create: { brandId: BRAND, role: 'manager' } } as const
    const data = { email, passwordHash: await hashPassword(password), memberships }
    await prisma().consoleUser.create({ data })
    expect(await signIn(claims(email, 'loom'))).toMatchObject({ ok: true })
    expect(await signInWithPassword({ email, password }, {})).toBeUndefined()
  })

  it('lets no disabled user in, and leaves the last admin their role', async () => {
    await prisma().consoleUser.updateMany({ data: { providerRole: null } })
    const email = 'last@elsewhere.example'
    const passwordHash = await hashPassword('a long enough password')
    const data = { email, passwordHash, providerRole: 'admin' as const }
    const { id } = await prisma().consoleUser.create({ data })
    expect(await signIn(claims(email))).toEqual({ ok: true, userId: id })
    expect(await rolesOf(email)).toEqual(['admin'])
    await prisma().consoleUser.update({ where: { id }, data: { disabledAt: new Date() } })
    expect(await signIn(claims(email, 'admins'))).toEqual({ ok: false, reason: 'disabled' })
  })
})
