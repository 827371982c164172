import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode, letTimePass } from '#e2e/harness/device-codes.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { nowInSeconds } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import { listGrantsOfUser, revokeGrant, withdrawScope } from './grants.ts'
import { findLiveGrant } from './live-grant.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
const brandUserId = 'jane-4471'

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())
beforeEach(async () => {
  await prisma().consentDecision.deleteMany()
  await prisma().deviceAuthorization.deleteMany()
  await prisma().grant.deleteMany()
})

async function allow(scopes: string[], caller: Caller = provider.caller, user = brandUserId) {
  const { grantId } = await approvedCode(await provider.brand(), caller, scopes, { brandUserId: user })
  return grantId
}

function live(grantId: string, more: Partial<Parameters<typeof findLiveGrant>[0]> = {}) {
  const { personalAgent, subject } = provider.caller
  const { brandId } = provider
  const issuedAt = nowInSeconds()
  return findLiveGrant({
    brandId,
    grantId,
    personalAgentId: personalAgent.id,
    subject,
    brandUserId,
    issuedAt,
    expiresAt: issuedAt + 3600,
    ...more,
  })
}

describe('§5.5 a grant is live', () => {
  it('for the parties it is for alone', async () => {
    const grantId = await allow(['orders:read'])
    expect(await live(grantId)).toEqual({ scopes: ['orders:read'] })
    expect(await live('a2agrant_other')).toBeUndefined()
    const [sameAgent, sameUser] = provider.strangers
    for (const foreign of [
      { brandId: OTHER_BRAND_ID },
      { brandUserId: 'john-1' },
      { subject: sameAgent?.subject ?? '' },
      { personalAgentId: sameUser?.personalAgent.id ?? '' },
    ]) {
      expect(await live(grantId, foreign)).toBeUndefined()
    }
  })

  it('until its time is over, and not for tokens from before its `notBefore`', async () => {
    const grantId = await allow(['orders:read'])
    const notBefore = new Date((nowInSeconds() + 10) * 1000)
    await prisma().grant.update({ where: { id: grantId }, data: { notBefore } })
    expect(await live(grantId)).toBeUndefined()
    expect(await live(grantId, { issuedAt: nowInSeconds() + 10 })).toBeDefined()
    await letTimePass(30 * 86_400)
    expect(await live(grantId)).toBeUndefined()
  })

  it('until it is revoked, which happens once', async () => {
    const grantId = await allow(['orders:read'])
    const revocation = { brandId: provider.brandId, grantId, by: 'user' } as const
    expect(await revokeGrant({ ...revocation, brandId: OTHER_BRAND_ID })).toBe(false)
    expect(await revokeGrant({ ...revocation, brandUserId: 'john-1' })).toBe(false)
    expect(await live(grantId)).toBeDefined()
    expect(await revokeGrant({ ...revocation, brandUserId })).toBe(true)
    expect(await live(grantId)).toBeUndefined()
    expect(await revokeGrant({ ...revocation, by: 'console' })).toBe(false)
    const stored = await prisma().grant.findUniqueOrThrow({ where: { id: grantId } })
    expect(stored).toMatchObject({ revokedBy: 'user', scopes: ['orders:read'] })
  })
})

describe('a withdrawn scope', () => {
  it('is gone at once; the last one takes the grant with it', async () => {
    const grantId = await allow(['orders:read', 'orders:cancel'])
    const withdrawal = { brandId: provider.brandId, grantId, by: 'user' } as const
    expect(await withdrawScope({ ...withdrawal, scope: 'refunds:issue' })).toBe(false)
    expect(await withdrawScope({ ...withdrawal, scope: 'orders:read', brandUserId: 'john-1' })).toBe(false)
    expect(await withdrawScope({ ...withdrawal, scope: 'orders:read', brandUserId })).toBe(true)
    expect(await live(grantId)).toEqual({ scopes: ['orders:cancel'] })
    expect(await withdrawScope({ ...withdrawal, scope: 'orders:cancel' })).toBe(true)
    expect(await live(grantId)).toBeUndefined()
    expect(await listGrantsOfUser(provider.brandId, brandUserId)).toEqual([])
  })
})

describe('the grants of a Brand user', () => {
  it('are those that count, the latest first, with the personal agent they are for', async () => {
    const [sameAgent, sameUser] = provider.strangers
    const first = await allow(['orders:read'])
    await prisma().grant.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } })
    const second = await allow(['orders:cancel'], sameUser)
    await allow(['orders:read'], provider.caller, 'john-1')
    const revoked = await allow(['orders:read'], sameAgent)
    await revokeGrant({ brandId: provider.brandId, grantId: revoked, by: 'user' })
    const grants = await listGrantsOfUser(provider.brandId, brandUserId)
    expect(grants.map(({ id }) => id)).toEqual([second, first])
    expect(grants[1]).toEqual({
      id: first,
      personalAgent: { id: provider.caller.personalAgent.id, issuer: 'https://first.example', name: 'first' },
      subject: 'user-1',
      scopes: ['orders:read'],
      createdAt: expect.any(Date),
      expiresAt: expect.any(Date),
      lastUsedAt: undefined,
      notBefore: undefined,
    })
    expect(await listGrantsOfUser(OTHER_BRAND_ID, brandUserId)).toEqual([])
  })
})
