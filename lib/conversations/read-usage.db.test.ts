import { beforeAll, describe, expect, it } from 'vitest'
import { sumDays } from '#e2e/harness/daily-sums.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { readTraffic } from '#lib/access/overview.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { noUsage } from '#lib/agents/agent.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { listUsageByBrand, readUsage } from './read-usage.ts'
import { countTurn, countUsage, flushTraffic } from './traffic.ts'
import { rangeOfSpan } from './usage-range.ts'

databaseOfThisFile()

const ARCHIVED_ID = '01KAA0B5V7N2E6Y4D8GH5RPKQG'
const HOUR = 3_600_000

const viewerOf = (of: Partial<Viewer>): Viewer => ({
  userId: '01890000-0000-7000-8000-000000000000',
  email: 'someone@provider.example',
  name: null,
  providerRole: null,
  brandRoles: new Map(),
  ...of,
})
const admin = viewerOf({ providerRole: 'admin' })
const manager = viewerOf({ brandRoles: new Map([[BRAND_ID, 'manager']]) })

async function storeBrand(id: string, name: string, archivedAt: Date | null = null) {
  await prisma().brand.create({
    data: { id, name, description: '', agent: {}, archivedAt },
  })
}

async function storeHour(hoursAgo: number, kind: string, count: bigint, brandId = BRAND_ID) {
  const hour = new Date(Math.floor(Date.now() / HOUR - hoursAgo) * HOUR)
  await prisma().trafficHour.create({ data: { hour, brandId, personalAgentId: 'second', kind, count } })
  await pool().query(sumDays[0])
}

/** What there is of both Brands in so many of the last days, added up from the hours. */
async function turnsOfHours(days: number, brandIds: string[]) {
  const { rows } = await pool().query<{ at: Date; count: number }>(
    `SELECT date_trunc('day', "hour", 'UTC') AS "at", sum("count")::float8 AS "count" FROM "TrafficHour"
    WHERE "kind" IN ('message', 'step_up', 'error') AND "brandId" = ANY ($2)
      AND "hour" >= date_trunc('day', now(), 'UTC') - ($1 - 1) * interval '24 hours'
    GROUP BY 1 ORDER BY 1`,
    [days, brandIds],
  )
  return rows.map(({ at, count }) => [at.toISOString(), count])
}

beforeAll(async () => {
  await storeBrand(BRAND_ID, 'Loom & Thread')
  await storeBrand(OTHER_BRAND_ID, 'Northlight Energy')
  await storeBrand(ARCHIVED_ID, 'Gone', new Date())
  const own = { brandId: BRAND_ID, personalAgentId: 'first' }
  countTurn('message', own, 20)
  countTurn('message', own, 22)
  countTurn('step_up', own, 4)
  countTurn('error', own, 31_000)
  countUsage(own, {
    ...noUsage(),
    ...{ modelCalls: 3, failedModelCalls: 1, modelTime: 900.4, inputTokens: 500, outputTokens: 60 },
    ...{ toolCalls: 2, failedToolCalls: 1, toolTime: 250 },
  })
  countTurn('message', { brandId: OTHER_BRAND_ID }, 7)
  await flushTraffic()
  // As the day’s hours are in UTC, so many hours ago is always another day.
  await storeHour(48, 'message', 5n)
  await storeHour(48, 'turn:25', 5n)
  await storeHour(31 * 24, 'message', 100n)
})

describe('what was used', () => {
  it('is there in all and day by day, with the days on which nothing was', async () => {
    const { steps, total } = await readUsage(admin, rangeOfSpan('7d'), BRAND_ID)
    expect(total).toEqual({
      ...{ turns: 9, stepUps: 1, failedTurns: 1, turnTime: 31_046, p50: 25, p95: Number.POSITIVE_INFINITY },
      ...{ modelCalls: 3, failedModelCalls: 1, modelTime: 900, inputTokens: 500, outputTokens: 60 },
      ...{ toolCalls: 2, failedToolCalls: 1, toolTime: 250 },
    })
    expect(steps.map(({ turns }) => turns)).toEqual([0, 0, 0, 0, 5, 0, 4])
    expect(steps[4]).toMatchObject({ p50: 25, p95: 25, modelCalls: 0 })
    expect(steps[5]).toMatchObject({ p50: undefined, p95: undefined })
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`
    expect(steps.at(-1)?.at.toISOString()).toBe(today)
  })

  it('is there hour by hour', async () => {
    const { steps, total } = await readUsage(admin, rangeOfSpan('24h'))
    expect([steps.length, total.turns]).toEqual([24, 5])
    expect(steps.reduce((sum, { turns }) => sum + turns, 0)).toBe(5)
  })

  it('is told by the home page as far as there was a reply, step by step', async () => {
    const points = await readTraffic(admin, '7d', BRAND_ID)
    expect(points).toHaveLength(7)
    expect(points.at(-1)).toMatchObject({ messages: 2, stepUps: 1, errors: 1 })
    const length = 24 * HOUR
    expect(points.at(-1)?.at.getTime()).toBe(Math.floor(Date.now() / length) * length)
    expect(points.filter(({ messages }) => messages === 5)).toHaveLength(1)
  })

  it('is a Brand member’s for their own Brand alone', async () => {
    expect((await readUsage(manager, rangeOfSpan('7d'))).total.turns).toBe(9)
    await expect(readUsage(manager, rangeOfSpan('7d'), OTHER_BRAND_ID)).rejects.toThrow(ForbiddenError)
    await expect(listUsageByBrand(viewerOf({}), rangeOfSpan('7d'), { limit: 10 })).rejects.toThrow(
      ForbiddenError,
    )
    const { rows } = await listUsageByBrand(manager, rangeOfSpan('7d'), { limit: 10 })
    expect(rows.map(({ brand, turns }) => [brand.name, turns])).toEqual([['Loom & Thread', 9]])
  })

  it('is listed by Brand: in the order of a figure, or of their ids page by page', async () => {
    const list = async (more: Partial<Parameters<typeof listUsageByBrand>[2]>) => {
      const { rows, more: left } = await listUsageByBrand(admin, rangeOfSpan('7d'), { limit: 10, ...more })
      return [...rows.map(({ brand, turns }) => `${brand.name} ${turns}`), ...(left ? ['…'] : [])]
    }
    expect(await list({ order: { by: 'turns', falling: true } })).toEqual([
      'Loom & Thread 9',
      'Northlight Energy 1',
    ])
    expect(await list({ order: { by: 'toolCalls', falling: false } })).toEqual([
      'Northlight Energy 1',
      'Loom & Thread 9',
    ])
    expect(await list({ limit: 1 })).toEqual(['Northlight Energy 1', '…'])
    expect(await list({ limit: 1, after: OTHER_BRAND_ID })).toEqual(['Loom & Thread 9'])
    expect(await list({ brand: BRAND_ID })).toEqual(['Loom & Thread 9'])
  })

  it('is told of a Brand that is put away where it used something', async () => {
    await storeHour(1, 'message', 2n, ARCHIVED_ID)
    const { rows } = await listUsageByBrand(admin, rangeOfSpan('7d'), { limit: 10 })
    expect(rows.map(({ brand }) => brand.name)).toContain('Gone')
  })
})

describe('the days', () => {
  const both = [BRAND_ID, OTHER_BRAND_ID]

  it('are the sums of the hours that were counted with them, whoever called and however often it was stored', async () => {
    for (const personalAgentId of ['first', 'third']) {
      countTurn('message', { brandId: OTHER_BRAND_ID, personalAgentId }, 40)
      await flushTraffic()
    }
    const sums = `SELECT "brandId", "kind", sum("count")::int AS "count", sum("milliseconds")::int AS "milliseconds"`
    const { rows: hours } = await pool().query(
      `${sums}, date_trunc('day', "hour", 'UTC') AS "day" FROM "TrafficHour" GROUP BY "day", 1, 2 ORDER BY "day", 1, 2`,
    )
    const { rows: days } = await pool().query(
      `${sums}, "day" FROM "TrafficDay" GROUP BY "day", 1, 2 ORDER BY "day", 1, 2`,
    )
    expect(days).toEqual(hours)
    expect(hours.some(({ count, milliseconds }) => count > 1 && milliseconds > 0)).toBe(true)
  })

  it.each(['7d', '30d'] as const)(
    'begin and end where the hours do, the present one with them: %s',
    async (span) => {
      const day = 86_400_000
      const midnight = Math.floor(Date.now() / day) * day
      const hours = [0, -1, -6, -7, -29, -30].flatMap((days) => [
        midnight + days * day,
        midnight + days * day - HOUR,
      ])
      for (const [index, hour] of hours.entries()) {
        const of = {
          hour: new Date(hour),
          personalAgentId: span,
          kind: 'message',
          count: 2n ** BigInt(index),
        }
        await prisma().trafficHour.createMany({ data: both.map((brandId) => ({ ...of, brandId })) })
      }
      await pool().query(sumDays[0])
      const days = Number.parseInt(span, 10)
      for (const [viewer, brandIds] of [
        [admin, [...both, ARCHIVED_ID]],
        [manager, [BRAND_ID]],
        [viewerOf({ brandRoles: new Map(both.map((id) => [id, 'viewer'] as const)) }), both],
      ] as const) {
        const expected = await turnsOfHours(days, [...brandIds])
        const { steps, total } = await readUsage(viewer, rangeOfSpan(span))
        const used = steps.filter(({ turns }) => turns > 0)
        expect(used.map(({ at, turns }) => [at.toISOString(), turns])).toEqual(expected)
        const { rows } = await listUsageByBrand(viewer, rangeOfSpan(span), { limit: 10 })
        expect(rows.reduce((sum, { turns }) => sum + turns, 0)).toBe(total.turns)
      }
    },
  )

  it('are what the home page adds up in 30 of them, a member’s Brands alone', async () => {
    for (const [viewer, brandIds] of [
      [admin, [...both, ARCHIVED_ID]],
      [manager, [BRAND_ID]],
    ] as const) {
      const points = await readTraffic(viewer, '30d')
      expect(points).toHaveLength(30)
      const turns = points.map(({ at, messages, stepUps, errors }) => [
        at.toISOString(),
        messages + stepUps + errors,
      ])
      expect(turns.filter(([, count]) => count !== 0)).toEqual(await turnsOfHours(30, [...brandIds]))
    }
  })

  it('of many Brands are those of each', async () => {
    const others = Array.from(
      { length: 30 },
      (_, n) => `01KAA0B5V7N2E6Y4D8GH5RPK${String(n).padStart(2, '0')}`,
    )
    const brandRoles = new Map([BRAND_ID, ...others].map((id) => [id, 'viewer'] as const))
    const own = await readUsage(manager, rangeOfSpan('30d'))
    expect(await readUsage(viewerOf({ brandRoles }), rangeOfSpan('30d'))).toEqual(own)
  })
})
