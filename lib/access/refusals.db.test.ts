import { beforeAll, describe, expect, it } from 'vitest'
import { sumDays } from '#e2e/harness/daily-sums.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { type Page, type PageRequest, readPageRequest } from '#lib/platform/keyset.ts'
import { readTraffic } from './overview.ts'
import { ForbiddenError, type Viewer } from './permissions.ts'
import { COUNTED_ID, LATEST_ID, listLatestRefusals, listRefusals } from './refusals.ts'

databaseOfThisFile()

const HOUR = 3_600_000
const auditor: Viewer = {
  userId: 'a',
  email: 'a@b.example',
  name: null,
  providerRole: 'auditor',
  brandRoles: new Map(),
}
const manager: Viewer = { ...auditor, providerRole: null, brandRoles: new Map([['b', 'manager']]) }

let agents: string[]

beforeAll(async () => {
  agents = await Promise.all(
    ['first', 'second', 'third'].map(async (name) => {
      const issuer = `https://${name}.example`
      return (await prisma().personalAgent.create({ data: { name, issuer, jwksUri: `${issuer}/jwks` } })).id
    }),
  )
  const present = Math.floor(Date.now() / HOUR)
  // Around the ends of days, and of the times that may be asked for.
  const ago = [0, 1, 2, 11, 22, 23, 24, 25, 26, 46, 47, 48, 49, 72, 167, 168, 169, 718, 719, 720, 721]
  await prisma().refusedRequests.createMany({
    data: ago.flatMap((hours, index) =>
      ['', ...agents].flatMap((personalAgentId, n) =>
        ['expired', 'audience'].slice(0, 1 + ((index + n) % 2)).map((reason) => ({
          hour: new Date((present - hours) * HOUR),
          personalAgentId,
          reason,
          count: 2n ** BigInt(index) * 3n + BigInt(n),
        })),
      ),
    ),
  })
  for (const statement of sumDays) await pool().query(statement)
  const at = new Date(Date.now() - 60_000)
  await prisma().refusal.createMany({
    data: ['', ...agents].flatMap((personalAgentId) =>
      ['expired', 'audience', 'signature'].map((reason, n) => ({
        ...{
          personalAgentId,
          reason,
          issuer: personalAgentId ? '' : 'https://stranger.example',
          brandId: '',
        },
        // Several at one moment.
        ...{ minute: at, at: new Date(at.getTime() - (n % 2) * 1_000), count: 1n },
      })),
    ),
  })
})

/** What the hours say of it. */
async function sumOfHours(hours: number, condition: string) {
  const { rows } = await pool().query(
    `SELECT "personalAgentId", "reason", sum("count")::float8 AS "count", max("hour") AS "lastHour" FROM "RefusedRequests"
    WHERE "hour" > now() - $1 * interval '1 hour' AND ${condition} GROUP BY 1, 2 ORDER BY 4 DESC, 3 DESC, 1 DESC, 2 DESC`,
    [hours],
  )
  return rows
}

/** All rows of a list, two by two: forth, and the same back. */
async function turnPages<Row>(
  list: (page: PageRequest) => Promise<Page<Row>>,
  isId: RegExp,
): Promise<[Row[], Row[]]> {
  const pages = [await list({ limit: 2 })]
  for (let after = pages[0]?.after; after; after = pages.at(-1)?.after) {
    pages.push(await list({ limit: 2, ...readPageRequest({ after }, isId) }))
  }
  const last = pages.at(-1)
  const back = last ? [last] : []
  for (let before = last?.before; before; before = back[0]?.before) {
    back.unshift(await list({ limit: 2, ...readPageRequest({ before }, isId) }))
  }
  return [pages.flatMap(({ rows }) => rows), back.flatMap(({ rows }) => rows)]
}

describe('refused requests by personal agent and reason', () => {
  it.each([1, 2, 23, 24, 25, 47, 48, 168, 719, 720])(
    'are those of the last %i hours, to the hour',
    async (hours) => {
      const { rows } = await listRefusals(auditor, { hours })
      expect(rows.map(({ personalAgent: _, ...row }) => row)).toEqual(await sumOfHours(hours, 'true'))
    },
  )

  it('are narrowed, and name whom they know', async () => {
    const wanted = { hours: 720, personalAgentId: agents[0] ?? '', reason: 'expired' }
    const { rows } = await listRefusals(auditor, wanted)
    const condition = `"personalAgentId" = '${agents[0]}' AND "reason" = 'expired'`
    const [expected] = await sumOfHours(720, condition)
    expect(rows).toEqual([{ ...expected, personalAgent: { name: 'first', issuer: 'https://first.example' } }])
    const strangers = (await listRefusals(auditor, { hours: 720 })).rows.filter((row) => !row.personalAgentId)
    expect(strangers.map(({ personalAgent }) => personalAgent)).toEqual([undefined, undefined])
  })

  it('are on pages, forth and back', async () => {
    const all = (await listRefusals(auditor, { hours: 720 })).rows
    expect(all.length).toBeGreaterThan(6)
    const [forth, back] = await turnPages((page) => listRefusals(auditor, { hours: 720 }, page), COUNTED_ID)
    expect(forth).toEqual(all)
    expect(back).toEqual(all)
  })
})

describe('the last refused requests', () => {
  it('are on pages, forth and back, those of one moment too', async () => {
    const all = (await listLatestRefusals(auditor, { hours: 24 })).rows
    expect(all).toHaveLength(12)
    const [forth, back] = await turnPages(
      (page) => listLatestRefusals(auditor, { hours: 24 }, page),
      LATEST_ID,
    )
    expect(forth).toEqual(all)
    expect(back).toEqual(all)
  })

  it.each(['before', 'after'] as const)('are none %s an end of time', async (side) => {
    // The latest that a cursor may name, in the year 33658.
    const at = new Date(side === 'after' ? 0 : 999_999_999_999_999)
    const counted = { [side]: { at, id: `${'9'.repeat(16)}-expired-` } }
    expect((await listRefusals(auditor, { hours: 720 }, counted)).rows).toEqual([])
    const latest = { [side]: { at, id: 'f'.repeat(32) } }
    expect((await listLatestRefusals(auditor, { hours: 24 }, latest)).rows).toEqual([])
  })

  it('are not a Brand member’s, nor is how many there were', async () => {
    await expect(listRefusals(manager, { hours: 24 })).rejects.toThrow(ForbiddenError)
    await expect(listLatestRefusals(manager, { hours: 24 })).rejects.toThrow(ForbiddenError)
    const points = await readTraffic(manager, '30d')
    expect(points.every(({ refusals }) => refusals === 0)).toBe(true)
  })
})

it('the home page tells of each of 30 days how many requests were refused', async () => {
  const { rows } = await pool().query(
    `SELECT date_trunc('day', "hour", 'UTC') AS "at", sum("count")::float8 AS "refusals" FROM "RefusedRequests"
    WHERE "hour" >= date_trunc('day', now(), 'UTC') - 29 * interval '24 hours' GROUP BY 1 ORDER BY 1`,
  )
  const points = (await readTraffic(auditor, '30d')).filter(({ refusals }) => refusals > 0)
  expect(points.map(({ at, refusals }) => ({ at, refusals }))).toEqual(rows)
})
