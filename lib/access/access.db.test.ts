import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { acceptAsUser, acceptWithNewAccount, findInvitation } from './accept-invitation.ts'
import { completeWithCode } from './complete-session.ts'
import { inviteMember, listInvitations, revokeInvitation } from './invitations.ts'
import { LastAdminError } from './last-admin.ts'
import { changeBrandRole, changeProviderRole, setMemberDisabled } from './member-edits.ts'
import { getMember, listMembers } from './members.ts'
import { hashPassword } from './passwords.ts'
import { ForbiddenError } from './permissions.ts'
import { recoverUser } from './recover-user.ts'
import { confirmTotp, listSecondFactors, offerTotp, removeTotp } from './second-factors.ts'
import { findSession, startSession, viewerOf } from './sessions.ts'
import { signInWithPassword } from './sign-in.ts'

const A = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const B = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const PASSWORD = 'correct horse battery'
const actor = { kind: 'user', id: 'u', name: 'someone@provider.example' } as const

let passwordHash: string
let users = 0

async function addUser(roles: { provider?: ProviderRole; brands?: Record<string, BrandRole> }) {
  const email = `user${++users}@provider.example`
  const user = await prisma().consoleUser.create({
    data: {
      email,
      passwordHash,
      providerRole: roles.provider ?? null,
      memberships: {
        create: Object.entries(roles.brands ?? {}).map(([brandId, role]) => ({ brandId, role })),
      },
    },
    include: { memberships: true },
  })
  return { id: user.id, email, viewer: viewerOf(user) }
}

const codeOf = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret) })
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

async function begin(userId: string, method = 'password'): Promise<string> {
  const started = await startSession(userId, method)
  if (!started) throw new Error('refused')
  return started.sessionId
}

beforeAll(async () => {
  setDatabaseUrl((await freshDatabase()).url)
  passwordHash = await hashPassword(PASSWORD)
  for (const id of [A, B]) {
    await prisma().brand.create({ data: { id, name: `Brand ${id.at(-1)}`, description: 'd', agent: {} } })
  }
})
afterAll(closeDatabase)

describe('a second factor', () => {
  it('counts once confirmed; its codes work once, recovery codes too', async () => {
    const { id: userId, email } = await addUser({ provider: 'admin' })
    const sessionId = await begin(userId)
    expect(await confirmTotp({ userId, sessionId, code: '000000' }, actor)).toBeUndefined()
    expect((await listSecondFactors(userId)).totp).toBe(false)
    const secret = await offerTotp(userId, sessionId)
    const codes = (await confirmTotp({ userId, sessionId, code: codeOf(secret) }, actor)) ?? []
    expect(codes).toHaveLength(10)

    const sign = async () => {
      const found = await signInWithPassword({ email, password: PASSWORD }, {})
      expect(found?.complete).toBe(false)
      return { userId, sessionId: found?.sessionId ?? '' }
    }
    const session = await sign()
    // The step that confirmed it is used up.
    expect(await completeWithCode({ ...session, code: codeOf(secret) }, actor)).toBeUndefined()
    await prisma().consoleUser.update({ where: { id: userId }, data: { totpStep: null } })
    const twice = await Promise.all([
      completeWithCode({ ...session, code: codeOf(secret) }, actor),
      completeWithCode({ ...(await sign()), code: codeOf(secret) }, actor),
    ])
    expect(twice.filter(Boolean)).toHaveLength(1)
    const [opened = ''] = twice.filter((id) => id !== undefined)
    expect(await findSession(opened)).toMatchObject({ complete: true, sessionId: opened })
    const waiting = twice[0] ? session.sessionId : undefined
    if (waiting) expect(await findSession(waiting)).toBeUndefined()
    const recovery = codes[0] ?? ''
    expect(await completeWithCode({ ...(await sign()), code: recovery.toUpperCase() }, actor)).toBeDefined()
    expect(await completeWithCode({ ...(await sign()), code: recovery }, actor)).toBeUndefined()
    expect(await completeWithCode({ ...(await sign()), code: codes[1] ?? '' }, actor)).toBeDefined()
    expect((await listSecondFactors(userId)).recoveryCodes).toBe(8)
    await removeTotp(userId, actor)
    expect(await listSecondFactors(userId)).toEqual({ totp: false, passkeys: [], recoveryCodes: 0 })
    expect(await offerTotp(userId, sessionId)).not.toBe(secret)
  })

  it('is set up first where admins must have one', async () => {
    await prisma().provider.create({
      data: { organization: 'P', audience: 'a', limits: {}, adminsNeedSecondFactor: true },
    })
    const admin = await addUser({ provider: 'admin' })
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const owes = async (userId: string, method: string) =>
      (await findSession(await begin(userId, method)))?.mustSetUpSecondFactor
    expect(await owes(admin.id, 'password')).toBe(true)
    expect(await owes(admin.id, 'oidc')).toBe(false)
    expect(await owes(manager.id, 'password')).toBe(false)
  })
})

describe('sessions', () => {
  it('end after 12 h without use, after 7 days, and when their user is disabled', async () => {
    const admin = await addUser({ provider: 'admin' })
    const { id } = await addUser({ brands: { [A]: 'viewer' } })
    const start = () => begin(id)
    const idle = await start()
    await prisma().$executeRaw`
      UPDATE "ConsoleSession" SET "lastSeenAt" = now() - interval '12 hours 1 second' WHERE "id" = ${idle}::uuid`
    expect(await findSession(idle)).toBeUndefined()
    const old = await start()
    await prisma().$executeRaw`
      UPDATE "ConsoleSession" SET "expiresAt" = now() - interval '1 second' WHERE "id" = ${old}::uuid`
    expect(await findSession(old)).toBeUndefined()
    const live = await start()
    expect(await findSession(live)).toBeDefined()
    expect(await setMemberDisabled(admin.viewer, actor, { userId: id, disabled: true })).toBe('done')
    expect(await findSession(live)).toBeUndefined()
    expect(await setMemberDisabled(admin.viewer, actor, { userId: id, disabled: false })).toBe('done')
    expect(await findSession(live)).toBeUndefined()
    await expect(start()).resolves.toBeDefined()
  })
})

describe('members', () => {
  it('of a Brand see each other and nobody else, and no roles elsewhere', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const both = await addUser({ provider: 'auditor', brands: { [A]: 'viewer', [B]: 'manager' } })
    const other = await addUser({ brands: { [B]: 'viewer' } })
    const { members } = await listMembers(manager.viewer, {})
    expect(members.map(({ email }) => email)).not.toContain(other.email)
    const seen = await getMember(manager.viewer, both.id)
    expect(seen).toMatchObject({ providerRole: null, brands: [{ id: A, role: 'viewer' }], lastSeenAt: null })
    await expect(getMember(manager.viewer, other.id)).rejects.toThrow(ForbiddenError)
    await expect(listMembers(manager.viewer, { brand: B })).rejects.toThrow(ForbiddenError)
    const change = { userId: other.id, brandId: A, from: null, to: 'viewer' } as const
    await expect(changeBrandRole(manager.viewer, actor, change)).rejects.toThrow(ForbiddenError)
    await expect(
      changeBrandRole(manager.viewer, actor, { userId: both.id, brandId: B, from: 'manager', to: null }),
    ).rejects.toThrow(ForbiddenError)
    await expect(
      changeProviderRole(manager.viewer, actor, { userId: manager.id, from: null, to: 'admin' }),
    ).rejects.toThrow(ForbiddenError)
    expect(
      await changeBrandRole(manager.viewer, actor, {
        userId: both.id,
        brandId: A,
        from: 'manager',
        to: null,
      }),
    ).toBe('stale')
  })

  it('keep a Provider admin: of two who demote each other at once, one stays', async () => {
    await prisma().consoleUser.updateMany({
      where: { providerRole: 'admin' },
      data: { providerRole: null },
    })
    const [one, two] = [await addUser({ provider: 'admin' }), await addUser({ provider: 'admin' })]
    const demote = (by: typeof one, whom: typeof one) =>
      changeProviderRole(by.viewer, actor, { userId: whom.id, from: 'admin', to: null })
    const results = await Promise.allSettled([demote(one, two), demote(two, one)])
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: expect.any(LastAdminError) },
    ])
    expect(await prisma().consoleUser.count({ where: { providerRole: 'admin' } })).toBe(1)
  })
})

describe('invitations', () => {
  const roles = [{ brand: A, role: 'viewer' as const }]

  it('work once, and only for the roles that the inviter may give', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const email = 'new@elsewhere.example'
    const outside = [[{ brand: B, role: 'viewer' as const }], [{ provider: 'auditor' as const }]]
    for (const each of outside) {
      await expect(inviteMember(manager.viewer, actor, { email, roles: each })).rejects.toThrow(
        ForbiddenError,
      )
    }
    const token = tokenOf((await inviteMember(manager.viewer, actor, { email, roles })).link)
    expect(await findInvitation(token)).toMatchObject({ email, kind: 'new-account' })
    const choice = { name: 'New', password: PASSWORD }
    const accepted = await Promise.all([
      acceptWithNewAccount(token, choice, undefined).catch(() => undefined),
      acceptWithNewAccount(token, choice, undefined).catch(() => undefined),
    ])
    expect(accepted.filter(Boolean)).toHaveLength(1)
    expect(await findInvitation(token)).toBeUndefined()
    expect((await signInWithPassword({ email, password: PASSWORD }, {}))?.complete).toBe(true)
  })

  it('take over no account that exists', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const known = await addUser({ provider: 'auditor' })
    const token = tokenOf((await inviteMember(manager.viewer, actor, { email: known.email, roles })).link)
    expect((await findInvitation(token))?.kind).toBe('sign-in')
    const choice = { name: 'X', password: 'another password' }
    expect(await acceptWithNewAccount(token, choice, undefined)).toBeUndefined()
    const stranger = { userId: manager.id, email: manager.email }
    expect(await acceptAsUser(token, stranger, undefined)).toBe(false)
    // One without a password, as single sign-on and provision files make them.
    await prisma().consoleUser.update({ where: { id: known.id }, data: { passwordHash: null } })
    expect((await findInvitation(token))?.kind).toBe('closed')
    expect(await acceptWithNewAccount(token, choice, undefined)).toBeUndefined()
    expect(await acceptAsUser(token, { userId: known.id, email: known.email }, undefined)).toBe(true)
  })

  it('an account that its inviter made opens nothing any more once it is raised', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const admin = await addUser({ provider: 'admin' })
    const email = 'victim@corp.example'
    const password = 'the manager knows it'
    const shown = tokenOf((await inviteMember(manager.viewer, actor, { email, roles })).link)
    const made = await acceptWithNewAccount(shown, { name: 'X', password }, undefined)
    const userId = made?.userId ?? ''
    const opens = async (password: string) => Boolean(await signInWithPassword({ email, password }, {}))
    expect(await opens(password)).toBe(true)
    const sessionId = await begin(userId)

    await changeProviderRole(admin.viewer, actor, { userId, from: null, to: 'auditor' })
    expect(await opens(password)).toBe(false)
    expect(await findSession(sessionId)).toBeUndefined()

    // An admin's invitation starts it anew; who is signed in from before can't accept it.
    await prisma().consoleUser.update({ where: { id: userId }, data: { passwordHash } })
    const given = [{ provider: 'admin' as const }]
    const proving = tokenOf((await inviteMember(admin.viewer, actor, { email, roles: given })).link)
    expect(await acceptAsUser(proving, { userId, email }, undefined)).toBe(false)
    expect(await findInvitation(proving)).toMatchObject({ kind: 'new-account', restarts: true })
    const own = { name: 'Victim', password: 'only the victim knows it' }
    expect(await acceptWithNewAccount(proving, own, undefined)).toMatchObject({ userId })
    expect(await opens(PASSWORD)).toBe(false)
    expect(await opens(own.password)).toBe(true)
    // Proven: it keeps its password.
    await changeProviderRole(admin.viewer, actor, { userId, from: 'admin', to: null })
    await changeProviderRole(admin.viewer, actor, { userId, from: null, to: 'auditor' })
    expect(await opens(own.password)).toBe(true)
  })

  it('of two links to one new address, the second asks to sign in', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const email = 'twice@corp.example'
    const invite = async () => tokenOf((await inviteMember(manager.viewer, actor, { email, roles })).link)
    const tokens = [await invite(), await invite()]
    const accepted = await Promise.all(
      tokens.map((token, index) =>
        acceptWithNewAccount(token, { name: 'X', password: `${PASSWORD} ${index}` }, undefined),
      ),
    )
    expect(accepted.filter(Boolean)).toHaveLength(1)
  })

  it('what no account can have is refused like a wrong password, and is not logged', async () => {
    for (const email of ['a\0b', '\uD800', 'nobody@corp.example']) {
      expect(await signInWithPassword({ email, password: PASSWORD }, {})).toBeUndefined()
      const last = await prisma().auditEvent.findFirst({ orderBy: { id: 'desc' } })
      expect(last).toMatchObject({ action: 'session.refuse', subject: 'unknown account' })
    }
  })

  it('are listed and taken back by those who could give them, and die with their inviter’s rights', async () => {
    const manager = await addUser({ brands: { [A]: 'manager' } })
    const other = await addUser({ brands: { [B]: 'manager' } })
    const { id, link } = await inviteMember(manager.viewer, actor, { email: 'x@elsewhere.example', roles })
    const ids = async (viewer: typeof manager.viewer) =>
      (await listInvitations(viewer)).map((each) => each.id)
    expect(await ids(manager.viewer)).toContain(id)
    expect(await ids(other.viewer)).not.toContain(id)
    await expect(revokeInvitation(other.viewer, actor, id)).rejects.toThrow(ForbiddenError)
    await prisma().membership.deleteMany({ where: { userId: manager.id } })
    expect(await findInvitation(tokenOf(link))).toBeUndefined()
    expect(await revokeInvitation(manager.viewer, actor, id)).toBe(true)
  })
})

describe('pact admin recover', () => {
  it('gives a password to be changed, ends sessions, and keeps the second factor unless told', async () => {
    const { id: userId, email } = await addUser({ provider: 'admin' })
    const sessionId = await begin(userId)
    const code = codeOf(await offerTotp(userId, sessionId))
    await confirmTotp({ userId, sessionId, code }, actor)
    const first = await recoverUser(email.toUpperCase(), { resetSecondFactor: false }, actor)
    expect(first).toMatchObject({ kind: 'recovered', secondFactorLeft: true })
    expect(await findSession(sessionId)).toBeUndefined()
    const second = await recoverUser(email, { resetSecondFactor: true }, actor)
    const password = second.kind === 'recovered' ? second.password : ''
    const found = await signInWithPassword({ email, password }, {})
    expect(found?.complete).toBe(true)
    expect((await findSession(found?.sessionId ?? ''))?.mustChangePassword).toBe(true)
    expect(await recoverUser('nobody@provider.example', { resetSecondFactor: false }, actor)).toEqual({
      kind: 'unknown',
    })
  })
})
