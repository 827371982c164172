import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, startTestApi, type TestApi } from '#e2e/harness/api.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { countTurn, flushTraffic } from '#lib/conversations/traffic.ts'

let api: TestApi
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  api = await startTestApi()
  countTurn('message', { brandId: BRAND_ID }, 20)
  countTurn('error', { brandId: BRAND_ID }, 40_000)
  countTurn('message', { brandId: OTHER_BRAND_ID }, 20)
  await flushTraffic()
}, 60_000)
afterAll(() => api.close())

const get = (role: 'admin' | 'manager', path: string) => callApi(api.users[role].token, 'GET', path)

describe('usage in the API', () => {
  it('of a Brand, by day and by hour', async () => {
    const { body, status } = await get('manager', `/brands/${BRAND_ID}/usage?from=${today}`)
    expect(status).toBe(200)
    const figures = { turns: 2, failedTurns: 1, turnTime: 40_020, p50: 25, p95: null, toolCalls: 0 }
    expect(body.total).toMatchObject(figures)
    expect(body.data).toMatchObject([{ at: `${today}T00:00:00.000Z`, ...figures }])
    const hourly = await get('manager', `/brands/${BRAND_ID}/usage?from=${today}&until=${today}&by=hour`)
    expect(hourly.body.data).toHaveLength(24)
    expect(hourly.body.total).toEqual(body.total)
  })

  it('of all Brands that are the owner’s, together and one by one', async () => {
    expect((await get('admin', '/usage')).body.total.turns).toBe(3)
    expect((await get('manager', '/usage')).body.total.turns).toBe(2)
    const first = (await get('admin', '/usage/brands?limit=1')).body
    expect(first.data).toMatchObject([{ brand: { id: OTHER_BRAND_ID }, turns: 1 }])
    const second = (await get('admin', `/usage/brands?limit=1&cursor=${first.nextCursor}`)).body
    expect(second).toMatchObject({ data: [{ brand: { id: BRAND_ID }, turns: 2 }], nextCursor: null })
    expect((await get('manager', '/usage/brands')).body.data).toHaveLength(1)
  })

  it.each([
    ['from=2026-13-01', 'from'],
    ['from=2026-02-02&until=2026-02-01', 'from'],
    ['until=2026-02-01&from=2025-02-01&by=hour', 'from'],
    ['until=0000-01-01&from=9999-12-31', 'from'],
    ['by=minute', 'by'],
  ])('says what is wrong with %s', async (query, path) => {
    for (const place of ['/usage', `/brands/${BRAND_ID}/usage`]) {
      const { status, body } = await get('admin', `${place}?${query}`)
      expect([status, body.errors[0].path]).toEqual([400, path])
    }
  })
})
