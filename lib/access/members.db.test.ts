import { describe, expect, it } from 'vitest'
import { accessOfThisFile, actor } from '#e2e/harness/access-users.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { LastAdminError } from './last-admin.ts'
import { changeBrandRole, changeProviderRole } from './member-edits.ts'
import { getMember, listMembers } from './members.ts'
import { ForbiddenError } from './permissions.ts'

const { addUser } = accessOfThisFile()

describe('members', () => {
  it('of a Brand see each other and nobody else, and no roles elsewhere', async () => {
    const manager = await addUser({ brands: { [BRAND_ID]: 'manager' } })
    const both = await addUser({
      provider: 'auditor',
      brands: { [BRAND_ID]: 'viewer', [OTHER_BRAND_ID]: 'manager' },
    })
    const other = await addUser({ brands: { [OTHER_BRAND_ID]: 'viewer' } })
    const { members } = await listMembers(manager.viewer, {})
    expect(members.map(({ email }) => email)).not.toContain(other.email)
    const seen = await getMember(manager.viewer, both.id)
    expect(seen).toMatchObject({
      providerRole: null,
      brands: [{ id: BRAND_ID, role: 'viewer' }],
      lastSeenAt: null,
    })
    await expect(getMember(manager.viewer, other.id)).rejects.toThrow(ForbiddenError)
    await expect(listMembers(manager.viewer, { brand: OTHER_BRAND_ID })).rejects.toThrow(ForbiddenError)
    const change = { userId: other.id, brandId: BRAND_ID, from: null, to: 'viewer' } as const
    await expect(changeBrandRole(manager.viewer, actor, change)).rejects.toThrow(ForbiddenError)
    await expect(
      changeBrandRole(manager.viewer, actor, {
        userId: both.id,
        brandId: OTHER_BRAND_ID,
        from: 'manager',
        to: null,
      }),
    ).rejects.toThrow(ForbiddenError)
    await expect(
      changeProviderRole(manager.viewer, actor, { userId: manager.id, from: null, to: 'admin' }),
    ).rejects.toThrow(ForbiddenError)
    expect(
      await changeBrandRole(manager.viewer, actor, {
        userId: both.id,
        brandId: BRAND_ID,
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
