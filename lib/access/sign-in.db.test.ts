import { describe, expect, it } from 'vitest'
import { accessOfThisFile, actor, begin, codeOf } from '#e2e/harness/access-users.ts'
import { PASSWORD } from '#e2e/harness/console-users.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { completeWithCode } from './complete-session.ts'
import { setMemberDisabled } from './member-edits.ts'
import { recoverUser } from './recover-user.ts'
import { confirmTotp, listSecondFactors, offerTotp, removeTotp } from './second-factors.ts'
import { findSession } from './sessions.ts'
import { signInWithPassword } from './sign-in.ts'

const { addUser } = accessOfThisFile()

describe('signing in', () => {
  it('what no account can have is refused like a wrong password, and is not logged', async () => {
    for (const email of ['a\0b', '\uD800', 'nobody@corp.example']) {
      expect(await signInWithPassword({ email, password: PASSWORD }, {})).toBeUndefined()
      const last = await prisma().auditEvent.findFirst({ orderBy: { id: 'desc' } })
      expect(last).toMatchObject({ action: 'session.refuse', subject: 'unknown account' })
    }
  })
})

describe('a second factor', () => {
  it('counts once confirmed; its codes work once, recovery codes too', async () => {
    const { id: userId, email } = await addUser({ provider: 'admin' })
    const sessionId = await begin(userId)
    expect(await confirmTotp({ userId, sessionId, code: '000000' }, actor)).toBeUndefined()
    expect((await listSecondFactors(userId)).totp).toBe(false)
    const secret = await offerTotp(userId, sessionId)
    // Made once: half a minute later it would be another.
    const code = codeOf(secret)
    const codes = (await confirmTotp({ userId, sessionId, code }, actor)) ?? []
    expect(codes).toHaveLength(10)

    const sign = async () => {
      const found = await signInWithPassword({ email, password: PASSWORD }, {})
      expect(found?.complete).toBe(false)
      return { userId, sessionId: found?.sessionId ?? '' }
    }
    const session = await sign()
    // The step that confirmed it is used up.
    expect(await completeWithCode({ ...session, code }, actor)).toBeUndefined()
    await prisma().consoleUser.update({ where: { id: userId }, data: { totpStep: null } })
    const another = await sign()
    const twice = await Promise.all([
      completeWithCode({ ...session, code }, actor),
      completeWithCode({ ...another, code }, actor),
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
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
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
    const { id } = await addUser({ brands: { [BRAND_ID]: 'viewer' } })
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
