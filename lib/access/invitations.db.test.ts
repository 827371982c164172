import { describe, expect, it } from 'vitest'
import { accessOfThisFile, actor, begin } from '#e2e/harness/access-users.ts'
import { PASSWORD } from '#e2e/harness/console-users.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { acceptAsUser, acceptWithNewAccount, findInvitation } from './accept-invitation.ts'
import { findInvitedBrands, inviteMember, listInvitations, revokeInvitation } from './invitations.ts'
import { changeProviderRole } from './member-edits.ts'
import { hashPassword } from './passwords.ts'
import { ForbiddenError } from './permissions.ts'
import { findSession } from './sessions.ts'
import { signInWithPassword } from './sign-in.ts'

const { addUser } = accessOfThisFile()

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

describe('invitations', () => {
  const roles = [{ brand: BRAND_ID, role: 'viewer' as const }]

  it('work once, and only for the roles that the inviter may give', async () => {
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
    const email = 'new@elsewhere.example'
    const outside = [[{ brand: OTHER_BRAND_ID, role: 'viewer' as const }], [{ provider: 'auditor' as const }]]
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

  it('name their Brands to whoever has the link, and no others', async () => {
    const both = [...roles, { provider: 'auditor' as const }]
    expect(await findInvitedBrands(both)).toEqual(new Map([[BRAND_ID, 'A Brand']]))
    expect(await findInvitedBrands([{ provider: 'auditor' }])).toEqual(new Map())
  })

  it('take over no account that exists', async () => {
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
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
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
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
    await prisma().consoleUser.update({
      where: { id: userId },
      data: { passwordHash: await hashPassword(PASSWORD) },
    })
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
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
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

  it('are listed and taken back by those who could give them, and die with their inviter’s rights', async () => {
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
    const other = await addUser({ brands: { [OTHER_BRAND_ID]: 'manager' } })
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
