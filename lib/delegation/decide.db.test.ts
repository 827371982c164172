import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { letTimePass, shownScopes } from '#e2e/harness/device-codes.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { approveAuthorization, approveByGrant, denyAuthorization } from './decide.ts'
import { findOpenAuthorization, startDeviceAuthorization } from './device-authorization.ts'
import { findCoveringGrant, findGrant } from './grants.ts'
import { BrandGoneError, storeGrant } from './store-grant.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())
beforeEach(async () => {
  await prisma().consentDecision.deleteMany()
  await prisma().deviceAuthorization.deleteMany()
  await prisma().grant.deleteMany()
})

const brandUserId = 'jane-4471'

async function open(scopes: string[], caller = provider.caller) {
  const { userCode } = await startDeviceAuthorization({ brand: await provider.brand(), caller, scopes })
  const found = await findOpenAuthorization(provider.brandId, userCode)
  if (!found) throw new Error('not found')
  return { ...found, userCode }
}

function approve(authorizationId: string, shown: string[], scopes = shown) {
  return approveAuthorization({
    brandId: provider.brandId,
    authorizationId,
    brandUserId,
    scopes,
    shown: shownScopes(shown),
  })
}

function deny(authorizationId: string, withdrawn: string[] = []) {
  const shown = shownScopes(['orders:read'])
  return denyAuthorization({ brandId: provider.brandId, authorizationId, brandUserId, shown, withdrawn })
}

function grantNow(caller = provider.caller, user = brandUserId) {
  const { personalAgent, subject } = caller
  return findGrant({
    brandId: provider.brandId,
    personalAgentId: personalAgent.id,
    subject,
    brandUserId: user,
  })
}

const stateOf = async (userCode: string) => (await findOpenAuthorization(provider.brandId, userCode))?.state

describe('§5.3 an approval', () => {
  it('makes the grant, and keeps what was shown word for word', async () => {
    const authorization = await open(['orders:read', 'orders:cancel'])
    const shown = ['orders:read', 'orders:cancel']
    const approved = await approve(authorization.id, shown, ['orders:read'])
    const grant = await grantNow()
    expect(approved).toEqual({ ok: true, grantId: grant?.id })
    expect(grant).toMatchObject({ id: expect.stringMatching(/^a2agrant_/), scopes: ['orders:read'] })
    expect(await stateOf(authorization.userCode)).toBe('approved')
    const days = ((grant?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 2)
    expect(await prisma().consentDecision.findMany()).toMatchObject([
      {
        brandId: provider.brandId,
        deviceAuthorizationId: authorization.id,
        brandUserId,
        grantId: grant?.id,
        approved: true,
        shown: shownScopes(shown),
        scopes: ['orders:read'],
      },
    ])
  })

  it('is cumulative: one grant, with exactly what was left checked of what was shown', async () => {
    await approve((await open(['orders:read'])).id, ['orders:read'])
    const first = await grantNow()
    await approve((await open(['orders:cancel'])).id, ['orders:read', 'orders:cancel'])
    expect(await grantNow()).toMatchObject({ id: first?.id, scopes: ['orders:read', 'orders:cancel'] })
    await approve((await open(['refunds:issue'])).id, ['orders:read', 'refunds:issue'], ['refunds:issue'])
    const last = await grantNow()
    // `orders:cancel` was not shown: nobody unchecked it.
    expect([...(last?.scopes ?? [])].sort()).toEqual(['orders:cancel', 'refunds:issue'])
    expect(last?.id).toBe(first?.id)
  })

  it('begins the time of the grant anew', async () => {
    await approve((await open(['orders:read'])).id, ['orders:read'])
    await letTimePass(86_400)
    const aged = await grantNow()
    await approve((await open(['orders:read'])).id, ['orders:read'])
    const renewed = await grantNow()
    expect(renewed?.id).toBe(aged?.id)
    expect((renewed?.expiresAt.getTime() ?? 0) - (aged?.expiresAt.getTime() ?? 0)).toBeGreaterThan(86_000_000)
  })

  it('after the end of a grant makes another, which has nothing of the old one', async () => {
    await approve((await open(['orders:read', 'orders:cancel'])).id, ['orders:read', 'orders:cancel'])
    const old = await grantNow()
    await letTimePass(31 * 86_400)
    expect(await grantNow()).toBeUndefined()
    await approve((await open(['refunds:issue'])).id, ['refunds:issue'])
    const next = await grantNow()
    expect(next?.scopes).toEqual(['refunds:issue'])
    expect(next?.id).not.toBe(old?.id)
    expect(await prisma().grant.findUnique({ where: { id: old?.id ?? '' } })).toMatchObject({
      revokedBy: 'expiry',
    })
  })

  it('counts once, however many are made at the same moment', async () => {
    const authorization = await open(['orders:read'])
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 ? deny(authorization.id) : approve(authorization.id, ['orders:read']),
      ),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    for (const result of results) if (!result.ok) expect(result.reason).toBe('used')
    expect(await prisma().consentDecision.count()).toBe(1)
  })

  it('of two requests at the same moment makes one grant with the scopes of both', async () => {
    const scopes = ['orders:read', 'orders:cancel', 'refunds:issue']
    const authorizations = await Promise.all(scopes.map((scope) => open([scope])))
    const results = await Promise.all(authorizations.map(({ id }, n) => approve(id, scopes.slice(n, n + 1))))
    expect(new Set(results.map((result) => result.ok && result.grantId)).size).toBe(1)
    expect([...((await grantNow())?.scopes ?? [])].sort()).toEqual([...scopes].sort())
  })

  it('keeps the grants of others apart: another `sub`, another personal agent, another Brand user', async () => {
    for (const caller of [provider.caller, ...provider.strangers]) {
      await approve((await open(['orders:read'], caller)).id, ['orders:read'])
    }
    expect(await prisma().grant.count()).toBe(3)
    expect(await grantNow(provider.caller, 'john-1')).toBeUndefined()
  })

  it('after 600 s is too late', async () => {
    const authorization = await open(['orders:read'])
    await letTimePass(601)
    expect(await approve(authorization.id, ['orders:read'])).toEqual({ ok: false, reason: 'expired' })
    expect(await deny(authorization.id)).toEqual({ ok: false, reason: 'expired' })
    expect(await prisma().grant.count()).toBe(0)
  })

  it('of another Brand’s authorization changes nothing', async () => {
    const authorization = await open(['orders:read'])
    const shown = shownScopes(['orders:read'])
    const foreign = { brandId: OTHER_BRAND_ID, authorizationId: authorization.id, brandUserId, shown }
    expect(await denyAuthorization(foreign)).toEqual({ ok: false, reason: 'expired' })
    expect(await stateOf(authorization.userCode)).toBe('pending')
  })

  it('never has a scope that was not shown, or none', async () => {
    const { id, userCode } = await open(['orders:read'])
    await expect(approve(id, ['orders:read'], ['orders:cancel'])).rejects.toThrow(RangeError)
    await expect(approve(id, ['orders:read'], [])).rejects.toThrow(RangeError)
    expect(await stateOf(userCode)).toBe('pending')
  })

  it('leaves out what the Brand has removed meanwhile', async () => {
    const both = ['orders:read', 'orders:cancel']
    const [first, second] = [await open(both), await open(['orders:cancel'])]
    await provider.provide(['orders:read'])
    await provider.brand()
    expect(await approve(first.id, both)).toMatchObject({ ok: true })
    expect(await grantNow()).toMatchObject({ scopes: ['orders:read'] })
    expect(await approve(second.id, ['orders:cancel'])).toEqual({ ok: false, reason: 'expired' })
    await provider.provide(['orders:read', 'orders:cancel', 'refunds:issue'])
    await provider.brand()
  })
})

describe('§5.3 a denial', () => {
  it('leaves the grant as it is, and is kept', async () => {
    await approve((await open(['orders:read'])).id, ['orders:read'])
    const authorization = await open(['orders:cancel'])
    expect(await deny(authorization.id)).toEqual({ ok: true })
    expect(await stateOf(authorization.userCode)).toBe('denied')
    expect(await grantNow()).toMatchObject({ scopes: ['orders:read'] })
    expect(await prisma().consentDecision.count({ where: { approved: false, grantId: null } })).toBe(1)
    expect(await deny(authorization.id)).toEqual({ ok: false, reason: 'used' })
  })

  it('with everything unchecked takes what was allowed before, and with the last scope the grant', async () => {
    await approve((await open(['orders:read', 'orders:cancel'])).id, ['orders:read', 'orders:cancel'])
    await deny((await open(['refunds:issue'])).id, ['orders:read'])
    expect(await grantNow()).toMatchObject({ scopes: ['orders:cancel'] })
    await deny((await open(['refunds:issue'])).id, ['orders:cancel', 'orders:read'])
    expect(await grantNow()).toBeUndefined()
  })
})

describe('§5.3 consent may be skipped', () => {
  const descriptionOf = (id: string) => String(shownScopes([id]).scopes[0]?.description)

  it('only where the User has agreed to each scope as it is described now', async () => {
    await approve((await open(['orders:read'])).id, ['orders:read'])
    const { personalAgent, subject } = provider.caller
    const parties = { brandId: provider.brandId, personalAgentId: personalAgent.id, subject, brandUserId }
    const described = (description: string) =>
      findCoveringGrant({ ...parties, scopes: [{ id: 'orders:read', description }] })
    expect(await described(descriptionOf('orders:read'))).toBeDefined()
    expect(await described('Read and sell your orders')).toBeUndefined()
  })

  async function covering(caller: typeof provider.caller, scopes: string[], user = brandUserId) {
    const { personalAgent, subject } = caller
    const parties = { brandId: provider.brandId, personalAgentId: personalAgent.id, subject }
    const described = scopes.map((id) => ({ id, description: descriptionOf(id) }))
    return findCoveringGrant({ ...parties, brandUserId: user, scopes: described })
  }

  const skip = (authorizationId: string, grantId: string, user = brandUserId) =>
    approveByGrant({ brandId: provider.brandId, authorizationId, brandUserId: user, grantId })

  it('only where a grant of the very (personal agent, `sub`, Brand user) has every scope', async () => {
    await approve((await open(['orders:read', 'orders:cancel'])).id, ['orders:read', 'orders:cancel'])
    expect(await covering(provider.caller, ['orders:read'])).toMatchObject({ scopes: expect.any(Array) })
    expect(await covering(provider.caller, ['orders:read', 'refunds:issue'])).toBeUndefined()
    expect(await covering(provider.caller, ['orders:read'], 'john-1')).toBeUndefined()
    for (const stranger of provider.strangers) {
      expect(await covering(stranger, ['orders:read'])).toBeUndefined()
    }
  })

  it('and leaves the grant and its time as they are', async () => {
    await approve((await open(['orders:read', 'orders:cancel'])).id, ['orders:read', 'orders:cancel'])
    await letTimePass(3600)
    const grant = await grantNow()
    const authorization = await open(['orders:read'])
    expect(await skip(authorization.id, grant?.id ?? '')).toEqual({ ok: true, grantId: grant?.id })
    expect(await stateOf(authorization.userCode)).toBe('approved')
    expect(await grantNow()).toEqual(grant)
    expect(await skip(authorization.id, grant?.id ?? '')).toEqual({ ok: false, reason: 'used' })
  })

  it('not by a grant of somebody else, or one that does not cover the request', async () => {
    await approve((await open(['orders:read'])).id, ['orders:read'])
    const grantId = (await grantNow())?.id ?? ''
    const wider = await open(['orders:read', 'refunds:issue'])
    const [stranger] = provider.strangers
    const foreign = await open(['orders:read'], stranger)
    const own = await open(['orders:read'])
    for (const refused of [
      await skip(wider.id, grantId),
      await skip(foreign.id, grantId),
      await skip(own.id, grantId, 'john-1'),
      await skip(own.id, 'a2agrant_other'),
    ]) {
      expect(refused).toEqual({ ok: false, reason: 'expired' })
    }
    expect(await stateOf(own.userCode)).toBe('pending')
  })
})

it('approves nothing at a Brand that was disabled a moment ago, whatever the process remembers of it', async () => {
  const { id, userCode } = await open(['orders:read'])
  const personalAgentId = provider.caller.personalAgent.id
  const parties = { brandId: provider.brandId, personalAgentId, subject: 'late', brandUserId }
  const terms = { shown: ['orders:read'], checked: ['orders:read'], grantTime: 60_000 }
  await prisma().brand.update({ where: { id: provider.brandId }, data: { enabled: false } })
  expect(await approve(id, ['orders:read'])).toEqual({ ok: false, reason: 'expired' })
  await expect(prisma().$transaction((tx) => storeGrant(tx, parties, terms))).rejects.toThrow(BrandGoneError)
  expect(await stateOf(userCode)).toBe('pending')
  expect(await prisma().grant.count()).toBe(0)
})
