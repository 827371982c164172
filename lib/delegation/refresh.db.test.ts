import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode, letTimePass } from '#e2e/harness/device-codes.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { verifyDelegationToken } from './delegation-token.ts'
import { findGrant, revokeGrant, withdrawScope } from './grants.ts'
import { findLiveGrant } from './live-grant.ts'
import { hashSecret } from './opaque-codes.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { refreshStatement, refreshTokens } from './refresh.ts'
import type { TokenSet } from './token-set.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

const both = ['orders:read', 'orders:cancel']
let brandUserId = ''
let users = 0
beforeEach(() => {
  users += 1
  brandUserId = `user-${users}`
})

async function logIn(scopes = both): Promise<TokenSet & { grantId: string }> {
  const brand = await provider.brand()
  const { deviceCode, grantId } = await approvedCode(brand, provider.caller, scopes, { brandUserId })
  const result = await redeemDeviceCode({ brand, caller: provider.caller, deviceCode })
  if (!result.ok) throw new Error(result.error)
  return { ...result.tokens, grantId }
}

async function refresh(
  refreshToken: string,
  options: { caller?: Caller; scopes?: string[]; brandId?: string } = {},
) {
  const { caller = provider.caller, scopes, brandId } = options
  const brand = await provider.brand()
  const asked = { brand: brandId ? { ...brand, id: brandId } : brand, caller, refreshToken }
  return refreshTokens(scopes ? { ...asked, scopes } : asked)
}

/** True when a delegation token still passes §5.5's second check. */
async function counts(accessToken: string): Promise<boolean> {
  const { brandId, caller } = provider
  const facts = await verifyDelegationToken(accessToken, brandId, caller.personalAgent.issuer)
  if (!facts) return false
  const personalAgentId = caller.personalAgent.id
  return !!(await findLiveGrant({ brandId, personalAgentId, subject: caller.subject, ...facts }))
}

async function refreshed(refreshToken: string): Promise<TokenSet> {
  const result = await refresh(refreshToken)
  if (!result.ok) throw new Error(result.error)
  return result.tokens
}

const invalidGrant = { ok: false, error: 'invalid_grant' }

describe('RFC 6749 §6 a refresh', () => {
  it('gives a new delegation token and a new refresh token', async () => {
    const first = await logIn()
    const second = await refreshed(first.refreshToken)
    expect(second).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^rt_/),
      expiresIn: 3600,
      scopes: both,
    })
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(decodeJwt(second.accessToken)).toMatchObject({ sub: brandUserId, grant_id: first.grantId })
    expect(await counts(second.accessToken)).toBe(true)
    expect(await counts(first.accessToken)).toBe(true)
  })

  it('may ask for fewer scopes; the next refresh token keeps them all', async () => {
    const first = await logIn()
    const narrow = await refresh(first.refreshToken, { scopes: ['orders:read'] })
    expect(narrow).toMatchObject({ ok: true, tokens: { scopes: ['orders:read'] } })
    const next = await refreshed(narrow.ok ? narrow.tokens.refreshToken : '')
    expect(next.scopes).toEqual(both)
  })

  it('may not ask for more, and then the refresh token stays good', async () => {
    const { refreshToken } = await logIn(['orders:read'])
    const wider = await refresh(refreshToken, { scopes: ['orders:read', 'orders:cancel'] })
    expect(wider).toEqual({ ok: false, error: 'invalid_scope' })
    expect(await refresh(refreshToken)).toMatchObject({ ok: true })
  })

  it('by anyone but its (personal agent, `sub`), or at another Brand, is invalid_grant; the owner loses nothing', async () => {
    const { refreshToken } = await logIn()
    for (const caller of provider.strangers) {
      expect(await refresh(refreshToken, { caller })).toEqual(invalidGrant)
    }
    expect(await refresh(refreshToken, { brandId: OTHER_BRAND_ID })).toEqual(invalidGrant)
    expect(await refresh('rt_unknown')).toEqual(invalidGrant)
    expect(await refresh(refreshToken)).toMatchObject({ ok: true })
  })

  it('ends with the grant: revoked, or its time over', async () => {
    const [first, second] = [await logIn(), await logIn(['refunds:issue'])]
    await revokeGrant({ brandId: provider.brandId, grantId: first.grantId, by: 'console' })
    expect(await refresh(first.refreshToken)).toEqual(invalidGrant)
    expect(await refresh(second.refreshToken)).toEqual(invalidGrant)
    expect(await counts(first.accessToken)).toBe(false)
    const third = await logIn()
    await letTimePass(31 * 86_400)
    expect(await refresh(third.refreshToken)).toEqual(invalidGrant)
    expect(await counts(third.accessToken)).toBe(false)
  })

  it('carries only what the grant and the Brand still have', async () => {
    const { refreshToken, grantId } = await logIn([...both, 'refunds:issue'])
    await withdrawScope({ brandId: provider.brandId, grantId, scope: 'orders:cancel', by: 'user' })
    const second = await refreshed(refreshToken)
    expect(second.scopes).toEqual(['orders:read', 'refunds:issue'])
    await provider.provide(both)
    const third = await refreshed(second.refreshToken)
    expect(third.scopes).toEqual(['orders:read'])
    await provider.provide([...both, 'refunds:issue'])
  })

  it('never carries what was allowed later to another token of the grant', async () => {
    const narrow = await logIn(['orders:read'])
    await logIn(['orders:cancel'])
    expect((await refreshed(narrow.refreshToken)).scopes).toEqual(['orders:read'])
  })
})

describe('RFC 9700 §4.14.2 a used refresh token that comes again', () => {
  it('gets nothing and ends every token of its grant; the consent stays', async () => {
    const first = await logIn()
    const other = await logIn(['orders:read'])
    const second = await refreshed(first.refreshToken)
    expect(await refresh(first.refreshToken)).toEqual(invalidGrant)
    for (const { refreshToken, accessToken } of [second, other]) {
      expect(await refresh(refreshToken)).toEqual(invalidGrant)
      expect(await counts(accessToken)).toBe(false)
    }
    const { personalAgent, subject } = provider.caller
    const parties = { brandId: provider.brandId, personalAgentId: personalAgent.id, subject, brandUserId }
    expect(await findGrant(parties)).toMatchObject({ id: first.grantId })
    const stored = await prisma().grant.findUniqueOrThrow({ where: { id: first.grantId } })
    expect(stored.notBefore).toBeInstanceOf(Date)
  })

  it('is made good by a new login alone, at once; the old tokens can not end its tokens', async () => {
    const first = await logIn()
    const second = await refreshed(first.refreshToken)
    await refresh(first.refreshToken)
    const again = await logIn()
    expect(again.grantId).toBe(first.grantId)
    expect(await counts(again.accessToken)).toBe(true)
    expect(await refresh(first.refreshToken)).toEqual(invalidGrant)
    expect(await refresh(second.refreshToken)).toEqual(invalidGrant)
    expect(await counts(again.accessToken)).toBe(true)
    const next = await refreshed(again.refreshToken)
    expect(await counts(next.accessToken)).toBe(true)
    expect(await counts(second.accessToken)).toBe(false)
  })

  it('ends the tokens of the same second too, however often', async () => {
    for (let round = 0; round < 3; round++) {
      const first = await logIn()
      const second = await refreshed(first.refreshToken)
      expect(await counts(second.accessToken)).toBe(true)
      await refresh(first.refreshToken)
      expect(await counts(second.accessToken)).toBe(false)
      expect(await counts(first.accessToken)).toBe(false)
    }
  })

  it('ends what was issued while its own transaction waited', async () => {
    const first = await logIn()
    const brand = await provider.brand()
    const waiting = await pool().connect()
    try {
      // It begins at the end of one second; the first time comes in the next.
      await sleep(1_950 - (Date.now() % 1_000))
      await waiting.query('BEGIN')
      await waiting.query('SELECT now()')
      await sleep(150)
      const second = await refreshed(first.refreshToken)
      const { personalAgent, subject } = provider.caller
      const scopes = brand.delegation?.scopes.map(({ id }) => id)
      const owner = [brand.id, personalAgent.id, subject]
      const values = [hashSecret(first.refreshToken), ...owner, scopes, hashSecret('rt_none'), null]
      const { rows } = await waiting.query({ ...refreshStatement, values })
      expect(rows[0].outcome).toBe('reused')
      await waiting.query('COMMIT')
      expect(await counts(second.accessToken)).toBe(false)
      expect(await refresh(second.refreshToken)).toEqual(invalidGrant)
    } finally {
      waiting.release()
    }
  })

  it('ends codes that were approved and not yet collected, and none approved later', async () => {
    const first = await logIn()
    const brand = await provider.brand()
    const { caller } = provider
    const before = await approvedCode(brand, caller, both, { brandUserId })
    await refreshed(first.refreshToken)
    await refresh(first.refreshToken)
    const after = await approvedCode(brand, caller, both, { brandUserId })
    const redeem = (deviceCode: string) => redeemDeviceCode({ brand, caller, deviceCode })
    expect(await redeem(before.deviceCode)).toEqual(invalidGrant)
    expect(await redeem(after.deviceCode)).toMatchObject({ ok: true })
  })

  it('from a stranger ends nothing', async () => {
    const first = await logIn()
    const second = await refreshed(first.refreshToken)
    for (const caller of provider.strangers) await refresh(first.refreshToken, { caller })
    expect(await counts(second.accessToken)).toBe(true)
  })

  it('at the same moment as the first time never leaves two live families', async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken } = await logIn()
      const results = await Promise.all(Array.from({ length: 6 }, () => refresh(refreshToken)))
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      const won = results.find(({ ok }) => ok)
      expect(await refresh(won?.ok ? won.tokens.refreshToken : '')).toEqual(invalidGrant)
      brandUserId = `${brandUserId.split('.')[0]}.${round}`
    }
  })
})
