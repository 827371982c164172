import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode, letTimePass, shownScopes } from '#e2e/harness/device-codes.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { pool } from '#lib/platform/database.ts'
import { denyAuthorization } from './decide.ts'
import { findOpenAuthorization, startDeviceAuthorization } from './device-authorization.ts'
import { findRecentWithdrawal, listGrantChanges } from './grant-changes.ts'
import { revokeGrant, withdrawScope } from './grants.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { refreshTokens } from './refresh.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

const [READ, CANCEL] = ['orders:read', 'orders:cancel'] as const
let users = 0
const newUser = () => `jane-${++users}`

async function allow(scopes: string[], brandUserId: string) {
  return approvedCode(await provider.brand(), provider.caller, scopes, { brandUserId })
}

/** The history, the earliest first, without its times. */
async function historyOf(grantId: string) {
  const changes = await listGrantChanges(provider.brandId, grantId)
  return changes.reverse().map(({ at, ...change }) => {
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(10_000)
    return change
  })
}

const entry = (kind: string, by: string, scopesBefore: string[], scopesAfter: string[], actor?: string) => ({
  kind,
  by,
  actor,
  scopesBefore,
  scopesAfter,
})

describe('the history of a grant', () => {
  it('has approvals, withdrawals and the end, with the scopes before and after', async () => {
    const user = newUser()
    const { grantId } = await allow([READ], user)
    await allow([CANCEL], user)
    const { brandId } = provider
    await withdrawScope({ brandId, grantId, scope: READ, by: 'user' })
    await revokeGrant({ brandId, grantId, by: 'console', actor: 'c-1' })
    expect(await historyOf(grantId)).toEqual([
      entry('approved', 'user', [], [READ]),
      entry('approved', 'user', [READ], [READ, CANCEL]),
      entry('withdrawn', 'user', [READ, CANCEL], [CANCEL]),
      entry('revoked', 'console', [CANCEL], [], 'c-1'),
    ])
    expect(await listGrantChanges(OTHER_BRAND_ID, grantId)).toEqual([])
  })

  it('has nothing of what changed nothing', async () => {
    const { grantId } = await allow([READ], newUser())
    const { brandId } = provider
    await withdrawScope({ brandId, grantId, scope: CANCEL, by: 'user' })
    await withdrawScope({ brandId, grantId, scope: READ, by: 'user', brandUserId: 'somebody else' })
    await revokeGrant({ brandId: OTHER_BRAND_ID, grantId, by: 'user' })
    await revokeGrant({ brandId, grantId, by: 'user', brandUserId: 'somebody else' })
    expect(await historyOf(grantId)).toEqual([entry('approved', 'user', [], [READ])])
  })

  it('has one entry for what is done by many at the same moment', async () => {
    const { brandId } = provider
    const { grantId } = await allow([READ, CANCEL], newUser())
    const scope = READ
    const taken = Array.from({ length: 8 }, () => withdrawScope({ brandId, grantId, scope, by: 'user' }))
    expect((await Promise.all(taken)).filter(Boolean)).toHaveLength(1)
    const ended = Array.from({ length: 8 }, () => revokeGrant({ brandId, grantId, by: 'user' }))
    expect((await Promise.all(ended)).filter(Boolean)).toHaveLength(1)
    expect((await historyOf(grantId)).map(({ kind }) => kind)).toEqual(['approved', 'withdrawn', 'revoked'])
  })

  it('is without gaps: each entry begins where the one before ended, also of two first approvals at once', async () => {
    for (let round = 0; round < 5; round++) {
      const user = newUser()
      const approved = await Promise.all([allow([READ], user), allow([CANCEL], user)])
      const [first, second] = await historyOf(approved[0].grantId)
      expect(first?.scopesBefore).toEqual([])
      expect(second?.scopesBefore).toEqual(first?.scopesAfter)
      expect(second?.scopesAfter).toHaveLength(2)
    }
  })

  it('has what a denial took back', async () => {
    const user = newUser()
    const { grantId } = await allow([READ, CANCEL], user)
    const { brandId, caller } = provider
    const { userCode } = await startDeviceAuthorization({
      brand: await provider.brand(),
      caller,
      scopes: [READ],
    })
    const authorizationId = (await findOpenAuthorization(brandId, userCode))?.id ?? ''
    const decision = { brandId, authorizationId, brandUserId: user, shown: shownScopes([READ]) }
    await denyAuthorization({ ...decision, withdrawn: [CANCEL] })
    expect((await historyOf(grantId)).at(-1)).toEqual(entry('withdrawn', 'user', [READ, CANCEL], [READ]))
  })

  it('has a refresh token that came twice, once', async () => {
    const { grantId, deviceCode } = await allow([READ], newUser())
    const brand = await provider.brand()
    const { caller } = provider
    const redeemed = await redeemDeviceCode({ brand, caller, deviceCode })
    if (!redeemed.ok) throw new Error(redeemed.error)
    const { refreshToken } = redeemed.tokens
    for (let time = 0; time < 3; time++) await refreshTokens({ brand, caller, refreshToken })
    expect((await historyOf(grantId)).slice(1)).toEqual([entry('reused', 'personal_agent', [READ], [READ])])
  })

  it('ends with the grant that took its place', async () => {
    const user = newUser()
    const { grantId } = await allow([READ], user)
    await letTimePass(31 * 86_400)
    const next = await allow([CANCEL], user)
    expect((await historyOf(grantId)).at(-1)).toEqual(entry('expired', 'expiry', [READ], []))
    expect(await historyOf(next.grantId)).toEqual([entry('approved', 'user', [], [CANCEL])])
  })

  it('can’t be rewritten', async () => {
    await expect(pool().query(`UPDATE "GrantChange" SET "by" = 'x'`)).rejects.toThrow('append-only')
    await expect(pool().query('DELETE FROM "GrantChange"')).rejects.toThrow('append-only')
  })
})

describe('what a User has just taken back', () => {
  it('is what happened, to a grant of their own', async () => {
    const user = newUser()
    const { grantId } = await allow([READ, CANCEL], user)
    const { brandId } = provider
    const find = (brandUserId = user) => findRecentWithdrawal({ brandId, grantId, brandUserId })
    expect(await find()).toBeUndefined()
    await withdrawScope({ brandId, grantId, scope: READ, by: 'user' })
    const personalAgent = { name: 'first', issuer: 'https://first.example' }
    expect(await find()).toEqual({ personalAgent, scopes: [READ] })
    await revokeGrant({ brandId, grantId, by: 'user' })
    expect(await find()).toEqual({ personalAgent, scopes: [CANCEL] })
    expect(await find('somebody else')).toBeUndefined()
  })

  it('is nothing that others did', async () => {
    const user = newUser()
    const { grantId } = await allow([READ], user)
    await revokeGrant({ brandId: provider.brandId, grantId, by: 'personal_agent' })
    const { brandId } = provider
    expect(await findRecentWithdrawal({ brandId, grantId, brandUserId: user })).toBeUndefined()
  })
})
