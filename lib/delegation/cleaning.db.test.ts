import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode, letTimePass } from '#e2e/harness/device-codes.ts'
import { prisma } from '#lib/platform/database.ts'
import { cleanExpired } from './cleaning.ts'
import { startDeviceAuthorization } from './device-authorization.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

const counts = async () => ({
  authorizations: await prisma().deviceAuthorization.count(),
  refreshTokens: await prisma().refreshToken.count(),
  assertions: await prisma().usedAssertion.count(),
  sessions: await prisma().userSession.count(),
  grants: await prisma().grant.count(),
  decisions: await prisma().consentDecision.count(),
})

it('deletes what has expired, and keeps grants and decisions', async () => {
  const { brandId, caller } = provider
  const brand = await provider.brand()
  await startDeviceAuthorization({ brand, caller, scopes: ['orders:read'] })
  const { deviceCode } = await approvedCode(brand, caller, ['orders:read'])
  await redeemDeviceCode({ brand, caller, deviceCode })
  const expiresAt = new Date(Date.now() + 60_000)
  const many = Array.from({ length: 1_200 }, (_, n) => ({ brandId, jti: `j-${n}`, expiresAt }))
  await prisma().usedAssertion.createMany({ data: many })
  const session = { tokenHash: new Uint8Array([1]), brandId, brandUserId: 'jane-4471', expiresAt }
  await prisma().userSession.create({ data: session })

  const full = {
    authorizations: 2,
    refreshTokens: 1,
    assertions: 1_200,
    sessions: 1,
    grants: 1,
    decisions: 1,
  }
  await cleanExpired()
  expect(await counts()).toEqual(full)

  await letTimePass(120)
  await cleanExpired()
  expect(await counts()).toEqual({ ...full, sessions: 0 })

  await letTimePass(86_400 + 600)
  const other = new pg.Client({ connectionString: provider.url })
  await other.connect()
  await other.query('SELECT pg_advisory_lock(4176730)')
  await cleanExpired()
  expect(await counts()).toEqual({ ...full, sessions: 0 })
  await other.end()
  await expect
    .poll(async () => {
      await cleanExpired()
      return counts()
    })
    .toEqual({ ...full, sessions: 0, authorizations: 0, assertions: 0 })

  await letTimePass(31 * 86_400)
  await cleanExpired()
  expect(await counts()).toMatchObject({ refreshTokens: 0, grants: 1, decisions: 1 })
})

it('keeps what was counted for more than a year, and refused requests for three months', async () => {
  const { brandId } = provider
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const kept = [0, 89, 399]
  for (const days of [...kept, 401]) {
    const traffic = { hour: daysAgo(days), brandId, personalAgentId: '', kind: 'message', count: 1n }
    await prisma().trafficHour.create({ data: traffic })
    await prisma().trafficDay.create({ data: { day: daysAgo(days), brandId, kind: 'message', count: 1n } })
  }
  for (const days of [0, 89, 91, 399]) {
    const refused = { hour: daysAgo(days), personalAgentId: '', reason: 'expired', count: 1n }
    await prisma().refusedRequests.create({ data: refused })
    const { hour, ...of } = refused
    await prisma().refusedDay.create({ data: { ...of, day: hour, lastHour: hour } })
  }
  await cleanExpired()
  const hours = await prisma().trafficHour.findMany({ where: { brandId, kind: 'message' } })
  const daysOf = await prisma().trafficDay.findMany({ where: { brandId, kind: 'message' } })
  for (const times of [hours.map(({ hour }) => hour), daysOf.map(({ day }) => day)]) {
    const ages = times.map((time) => Math.round((Date.now() - time.getTime()) / 86_400_000))
    expect(ages.sort((one, other) => one - other)).toEqual(kept)
  }
  expect(await prisma().refusedRequests.count()).toBe(2)
  expect(await prisma().refusedDay.count()).toBe(2)
})
