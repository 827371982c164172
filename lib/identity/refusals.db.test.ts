import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { listLatestRefusals } from '#lib/access/refusals.ts'
import { config, setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, pool, prisma } from '#lib/platform/database.ts'
import { countRefusal, flushRefusals } from './refusals.ts'

databaseOfThisFile()
const BRAND = '01JQ8ZJ3F5T9V7K2M4N6P8R0AB'

beforeEach(async () => {
  await prisma().refusedRequests.deleteMany()
  await prisma().refusedDay.deleteMany()
  await prisma().refusal.deleteMany()
})

const counted = () =>
  prisma().refusedRequests.findMany({ orderBy: [{ personalAgentId: 'asc' }, { reason: 'asc' }] })
const latest = () => prisma().refusal.findMany({ orderBy: [{ reason: 'asc' }, { issuer: 'asc' }] })

async function storeAgent(name: string) {
  const issuer = `https://${name}.example`
  return prisma().personalAgent.create({ data: { name, issuer, jwksUri: `${issuer}/jwks.json` } })
}

describe('refused requests by the hour', () => {
  it('are counted by reason and personal agent, and added up over several flushes', async () => {
    countRefusal({ reason: 'expired', personalAgentId: 'pa-1' })
    countRefusal({ reason: 'expired', personalAgentId: 'pa-1', brandId: BRAND })
    countRefusal({ reason: 'no_token' })
    await flushRefusals()
    countRefusal({ reason: 'expired', personalAgentId: 'pa-1' })
    await Promise.all([flushRefusals(), flushRefusals()])
    expect(await counted()).toMatchObject([
      { personalAgentId: '', reason: 'no_token', count: 1n },
      { personalAgentId: 'pa-1', reason: 'expired', count: 3n },
    ])
  })

  it('are added up by day in the same way, with the last hour', async () => {
    for (const reason of ['expired', 'expired', 'no_token'] as const) {
      countRefusal({ reason })
      await flushRefusals()
    }
    const { rows } = await pool().query(
      `SELECT "reason", sum("count")::int AS "count", date_trunc('day', "hour", 'UTC') AS "day", max("hour") AS "lastHour"
      FROM "RefusedRequests" GROUP BY "day", "reason" ORDER BY "day", "reason"`,
    )
    const days = await prisma().refusedDay.findMany({ orderBy: [{ day: 'asc' }, { reason: 'asc' }] })
    expect(days.map(({ personalAgentId: _, ...day }) => ({ ...day, count: Number(day.count) }))).toEqual(rows)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  })

  it('are counted in the hour of the database', async () => {
    countRefusal({ reason: 'no_token' })
    await flushRefusals()
    const { rows } = await pool().query(
      `SELECT 1 FROM "RefusedRequests" WHERE "hour" <= now() AND "hour" > now() - interval '61 minutes'
       AND extract(minute FROM "hour") = 0 AND extract(second FROM "hour") = 0`,
    )
    expect(rows).toHaveLength(1)
  })

  it('are kept while they can not be stored', async () => {
    countRefusal({ reason: 'no_token' })
    const databaseUrl = config().databaseUrl ?? ''
    setDatabaseUrl('postgresql://localhost:1/nothing')
    await closeDatabase()
    await flushRefusals()
    setDatabaseUrl(databaseUrl)
    await closeDatabase()
    await flushRefusals()
    expect(await counted()).toMatchObject([{ reason: 'no_token', count: 1n }])
    expect(await latest()).toMatchObject([{ reason: 'no_token', count: 1n }])
  })

  it('take a bounded number of rows, whoever is named', async () => {
    for (let n = 0; n < 6_000; n++) countRefusal({ reason: 'expired', personalAgentId: `pa-${n}` })
    await flushRefusals()
    const rows = await counted()
    expect(rows).toHaveLength(5_001)
    expect(rows.reduce((sum, { count }) => sum + count, 0n)).toBe(6_000n)
  })
})

describe('the last refused requests', () => {
  it('name whom the token names: a personal agent of ours, or a stranger by what it says', async () => {
    const agent = await storeAgent('named')
    countRefusal({ reason: 'expired', issuer: agent.issuer })
    countRefusal({ reason: 'unknown_issuer', issuer: `https://stranger.example/${'x'.repeat(2_000)}` })
    await flushRefusals()
    expect(await latest()).toMatchObject([
      { reason: 'expired', personalAgentId: agent.id, issuer: '' },
      { reason: 'unknown_issuer', personalAgentId: '', issuer: expect.stringMatching(/^https:.{194}$/) },
    ])
    expect(await counted()).toMatchObject([
      { personalAgentId: '', reason: 'unknown_issuer' },
      { personalAgentId: agent.id, reason: 'expired' },
    ])
  })

  it('name the Brand that was called, if there is one', async () => {
    await prisma().brand.create({ data: { id: BRAND, name: 'Loom', description: 'Loom', agent: {} } })
    countRefusal({ reason: 'expired', brandId: BRAND })
    countRefusal({ reason: 'no_token', brandId: '01JQ8ZJ3F5T9V7K2M4N6P8R0ZZ' })
    await flushRefusals()
    expect(await latest()).toMatchObject([
      { reason: 'expired', brandId: BRAND },
      { reason: 'no_token', brandId: '' },
    ])
  })

  it('are one row where they are alike and came in one minute', async () => {
    for (let n = 0; n < 3; n++) {
      countRefusal({ reason: 'unknown_issuer', issuer: 'https://a.example' })
      await flushRefusals()
    }
    countRefusal({ reason: 'unknown_issuer', issuer: 'https://b.example' })
    await flushRefusals()
    const rows = await latest()
    const sums = Map.groupBy(rows, ({ issuer }) => issuer)
    expect([...sums.keys()]).toEqual(['https://a.example', 'https://b.example'])
    // Two at most: the test may run over the end of a minute.
    expect(sums.get('https://a.example')?.length).toBeLessThanOrEqual(2)
    expect(rows.reduce((sum, { count }) => sum + count, 0n)).toBe(4n)
  })

  it('are bounded for each personal agent and reason: a flood pushes nobody else out', async () => {
    const agent = await storeAgent('quiet')
    countRefusal({ reason: 'audience', issuer: agent.issuer })
    for (let flood = 0; flood < 3; flood++) {
      for (let n = 0; n < 2_000; n++) {
        countRefusal({ reason: 'unknown_issuer', issuer: `https://${flood}-${n}.example` })
      }
      await flushRefusals()
    }
    const rows = await latest()
    expect(rows.filter(({ reason }) => reason === 'unknown_issuer')).toHaveLength(20)
    expect(rows.filter(({ personalAgentId }) => personalAgentId === agent.id)).toHaveLength(1)
    const sums = await counted()
    expect(sums.find(({ reason }) => reason === 'unknown_issuer')?.count).toBe(6_000n)
  })

  it('are gone after a week', async () => {
    const old = new Date(Date.now() - 8 * 86_400_000)
    const of = { personalAgentId: '', issuer: '', brandId: '', count: 1n }
    await prisma().refusal.create({ data: { ...of, reason: 'signature', minute: old, at: old } })
    countRefusal({ reason: 'no_token' })
    await flushRefusals()
    expect(await latest()).toMatchObject([{ reason: 'no_token' }])
  })

  it('are shown to those who may see them, the latest first', async () => {
    const agent = await storeAgent('shown')
    const of = { personalAgentId: agent.id, issuer: '', brandId: '', reason: 'expired' }
    for (const [minutes, count] of [
      [90, 1n],
      [5, 7n],
    ] as const) {
      const at = new Date(Date.now() - minutes * 60_000)
      await prisma().refusal.create({ data: { ...of, minute: at, at, count } })
    }
    const auditor = { userId: 'a', email: 'a@b.example', name: null, brandRoles: new Map() }
    const viewer = { ...auditor, providerRole: 'auditor' } as const
    const wanted = { hours: 24, personalAgentId: agent.id }
    const list = async (options: Parameters<typeof listLatestRefusals>[1]) =>
      (await listLatestRefusals(viewer, options)).rows
    expect(await list(wanted)).toMatchObject([
      { count: 7, personalAgent: { name: 'shown' }, brand: undefined },
      { count: 1 },
    ])
    expect(await list({ ...wanted, hours: 1 })).toHaveLength(1)
    expect(await list({ ...wanted, reason: 'audience' })).toEqual([])
    await expect(listLatestRefusals({ ...auditor, providerRole: null }, wanted)).rejects.toThrow('may not')
  })
})
