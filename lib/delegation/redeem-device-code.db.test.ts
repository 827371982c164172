import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approve, approvedCode, letTimePass, shownScopes } from '#e2e/harness/device-codes.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { nowInSeconds } from '#lib/platform/clock.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { denyAuthorization } from './decide.ts'
import { findOpenAuthorization, startDeviceAuthorization } from './device-authorization.ts'
import { revokeGrant, withdrawScope } from './grants.ts'
import { hashSecret } from './opaque-codes.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { refreshTokens } from './refresh.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

const both = ['orders:read', 'orders:cancel']

async function start(scopes = both) {
  return startDeviceAuthorization({ brand: await provider.brand(), caller: provider.caller, scopes })
}

async function poll(deviceCode: string, caller: Caller = provider.caller) {
  return redeemDeviceCode({ brand: await provider.brand(), caller, deviceCode })
}

async function approved(scopes = both, choice: { brandUserId?: string } = {}) {
  return approvedCode(await provider.brand(), provider.caller, scopes, choice)
}

async function intervalOf(deviceCode: string) {
  const deviceCodeHash = Uint8Array.from(hashSecret(deviceCode))
  return (await prisma().deviceAuthorization.findUniqueOrThrow({ where: { deviceCodeHash } })).interval
}

/** How many statements wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await pool().query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

const refusal = (error: string) => ({ ok: false, error })

describe('§5.3, RFC 8628 §3.5 polling', () => {
  it('waits while the User has not decided', async () => {
    const { deviceCode } = await start()
    expect(await poll(deviceCode)).toEqual(refusal('authorization_pending'))
    await letTimePass(5)
    expect(await poll(deviceCode)).toEqual(refusal('authorization_pending'))
    expect(await intervalOf(deviceCode)).toBe(5)
  })

  it('too early adds five seconds to this code’s interval, for good', async () => {
    const [{ deviceCode }, other] = await Promise.all([start(), start()])
    await poll(deviceCode)
    await letTimePass(4)
    expect(await poll(deviceCode)).toEqual(refusal('slow_down'))
    expect(await intervalOf(deviceCode)).toBe(10)
    await letTimePass(9)
    expect(await poll(deviceCode)).toEqual(refusal('slow_down'))
    expect(await intervalOf(deviceCode)).toBe(15)
    await letTimePass(15)
    expect(await poll(deviceCode)).toEqual(refusal('authorization_pending'))
    expect(await intervalOf(deviceCode)).toBe(15)
    expect(await poll(other.deviceCode)).toEqual(refusal('authorization_pending'))
  })

  it('after approval gives the tokens at once, and once', async () => {
    const { deviceCode, userCode } = await start()
    await poll(deviceCode)
    const grantId = await approve(provider.brandId, userCode, { scopes: ['orders:read'], shown: both })
    const result = await poll(deviceCode)
    expect(result).toEqual({
      ok: true,
      tokens: {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresIn: 3600,
        scopes: ['orders:read'],
      },
    })
    const claims = decodeJwt(result.ok ? result.tokens.accessToken : '')
    expect(claims).toMatchObject({ sub: 'jane-4471', scope: 'orders:read', grant_id: grantId })
    expect(await poll(deviceCode)).toEqual(refusal('invalid_grant'))
    expect(await prisma().refreshToken.count({ where: { grantId } })).toBe(1)
  })

  it('eight times at the same moment gives one token', async () => {
    for (let round = 0; round < 5; round++) {
      const { deviceCode, grantId } = await approved(both, { brandUserId: `round-${round}` })
      const results = await Promise.all(Array.from({ length: 8 }, () => poll(deviceCode)))
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      for (const result of results) if (!result.ok) expect(result.error).toBe('invalid_grant')
      expect(await prisma().refreshToken.count({ where: { grantId } })).toBe(1)
    }
  })

  it('while the User approves never loses the code: it waits, or gives all that was approved', async () => {
    for (let round = 0; round < 10; round++) {
      const { deviceCode, userCode } = await start()
      const choice = { scopes: both, brandUserId: `racing-${round}` }
      const [first] = await Promise.all([
        poll(deviceCode),
        approve(provider.brandId, userCode, choice),
        approved(['refunds:issue'], choice),
      ])
      const result = first.ok ? first : await poll(deviceCode)
      expect(result).toMatchObject({ ok: true, tokens: { scopes: both } })
    }
  })

  it('that waits for an approval sees the grant as the approval left it', async () => {
    const choice = { scopes: ['orders:read'], brandUserId: 'waited-for' }
    const { grantId } = await approved(['orders:read'], choice)
    const { deviceCode } = await start()
    const client = await pool().connect()
    await client.query('BEGIN')
    await client.query(
      `UPDATE "DeviceAuthorization" SET "state" = 'approved', "grantId" = $1, "grantedScopes" = $2
      WHERE "deviceCodeHash" = $3`,
      [grantId, both, hashSecret(deviceCode)],
    )
    const polling = poll(deviceCode)
    await expect.poll(countWaiting).toBe(1)
    await client.query('UPDATE "Grant" SET "scopes" = $2 WHERE "id" = $1', [grantId, both])
    await client.query('COMMIT')
    client.release()
    expect(await polling).toMatchObject({ ok: true, tokens: { scopes: both } })
  })

  it('that waits while a refresh token comes twice gives nothing', async () => {
    const choice = { brandUserId: 'reused-meanwhile' }
    const first = await approved(both, choice)
    const tokens = await poll(first.deviceCode)
    const refreshToken = tokens.ok ? tokens.tokens.refreshToken : ''
    const brand = await provider.brand()
    await refreshTokens({ brand, caller: provider.caller, refreshToken })
    const { deviceCode, grantId } = await approved(both, choice)
    const client = await pool().connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM "Grant" WHERE "id" = $1 FOR UPDATE', [grantId])
    const reuse = refreshTokens({ brand, caller: provider.caller, refreshToken })
    await expect.poll(countWaiting).toBe(1)
    const polling = poll(deviceCode)
    await expect.poll(countWaiting).toBe(2)
    await client.query('COMMIT')
    client.release()
    expect(await reuse).toEqual(refusal('invalid_grant'))
    const polled = await polling
    // Where the poll comes first, the reuse ends its tokens; else it is told to come again, and then refused.
    if (!polled.ok) {
      expect(polled).toEqual(refusal('authorization_pending'))
      expect(await poll(deviceCode)).toEqual(refusal('invalid_grant'))
    }
    const { notBefore } = await prisma().grant.findUniqueOrThrow({ where: { id: grantId } })
    const issued = await prisma().refreshToken.findMany({ where: { grantId } })
    for (const { issuedAt } of issued) expect(issuedAt.getTime()).toBeLessThan(notBefore?.getTime() ?? 0)
  })

  it('after denial says so', async () => {
    const { deviceCode, userCode } = await start()
    const open = await findOpenAuthorization(provider.brandId, userCode)
    const decision = { brandId: provider.brandId, authorizationId: open?.id ?? '', brandUserId: 'jane-4471' }
    await denyAuthorization({ ...decision, shown: shownScopes(both) })
    expect(await poll(deviceCode)).toEqual(refusal('access_denied'))
    expect(await poll(deviceCode)).toEqual(refusal('access_denied'))
  })

  it('after 600 s says that the code has expired, decided or not', async () => {
    const { deviceCode } = await start()
    const code = await approved()
    await letTimePass(601)
    expect(await poll(deviceCode)).toEqual(refusal('expired_token'))
    expect(await poll(code.deviceCode)).toEqual(refusal('expired_token'))
  })

  it('with somebody else’s code is invalid_grant, and the owner loses nothing', async () => {
    const { deviceCode } = await approved()
    for (const stranger of provider.strangers) {
      expect(await poll(deviceCode, stranger)).toEqual(refusal('invalid_grant'))
    }
    expect(await poll('dc_unknown')).toEqual(refusal('invalid_grant'))
    expect(await poll(deviceCode)).toMatchObject({ ok: true })
  })

  it('with a pending code of somebody else does not slow the owner down', async () => {
    const { deviceCode } = await start()
    const [stranger] = provider.strangers
    await poll(deviceCode, stranger)
    expect(await poll(deviceCode)).toEqual(refusal('authorization_pending'))
  })
})

describe('DESIGN: what is revoked acts at once on codes approved but not yet collected', () => {
  it('a revoked grant gives nothing', async () => {
    const { deviceCode, grantId } = await approved()
    await revokeGrant({ brandId: provider.brandId, grantId, by: 'user' })
    expect(await poll(deviceCode)).toEqual(refusal('invalid_grant'))
    expect(await prisma().refreshToken.count({ where: { grantId, usedAt: null } })).toBe(
      await prisma().refreshToken.count({ where: { grantId } }),
    )
  })

  it('a withdrawn scope is not in the token', async () => {
    const { deviceCode, grantId } = await approved()
    await withdrawScope({ brandId: provider.brandId, grantId, scope: 'orders:cancel', by: 'user' })
    expect(await poll(deviceCode)).toMatchObject({ ok: true, tokens: { scopes: ['orders:read'] } })
  })

  it('a scope that the Brand removed is not in the token; without any left there is none', async () => {
    const first = await approved()
    const second = await approved(['orders:cancel'])
    await provider.provide(['orders:read'])
    expect(await poll(second.deviceCode)).toEqual(refusal('invalid_grant'))
    expect(await poll(first.deviceCode)).toMatchObject({ ok: true, tokens: { scopes: ['orders:read'] } })
    await provider.provide(['orders:read', 'orders:cancel', 'refunds:issue'])
  })
})

describe('§5.4 the token’s lifetime', () => {
  it('is 3600 s, but never past the end of the grant', async () => {
    const { deviceCode, grantId } = await approved()
    const end = new Date(Date.now() + 1_800_000)
    await prisma().grant.update({ where: { id: grantId }, data: { expiresAt: end } })
    const result = await poll(deviceCode)
    expect(result).toMatchObject({ ok: true, tokens: { expiresIn: expect.any(Number) } })
    const { iat = 0, exp = 0 } = decodeJwt(result.ok ? result.tokens.accessToken : '')
    expect(exp).toBe(Math.floor(end.getTime() / 1000))
    expect(Math.abs(iat - nowInSeconds())).toBeLessThan(5)
  })
})
