import { beforeAll, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { scannedTables } from '#e2e/harness/query-plan.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import { listAudit } from '#lib/access/list-audit.ts'
import { readTraffic } from '#lib/access/overview.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { listLatestRefusals, listRefusals } from '#lib/access/refusals.ts'
import { viewerOf } from '#lib/access/sessions.ts'
import { listUsageByBrand, readUsage } from '#lib/conversations/read-usage.ts'
import { rangeOfSpan } from '#lib/conversations/usage-range.ts'
import { listGrants } from '#lib/delegation/list-grants.ts'
import { config } from '#lib/platform/config.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { stockConsole } from './console-stock.ts'

databaseOfThisFile()

/** Of everything that is looked at here more than {@link LARGE}; by the hour as long as in earnest. */
const stock = {
  ...{ brands: 40, personalAgents: 300, conversations: 10, messages: 10, receipts: 10, users: 1 },
  ...{ grants: 20_000, auditEvents: 20_000, hours: 30 * 24 },
}
/** Rows that no list may read from end to end. */
const LARGE = 10_000

const viewers = new Map<number, Viewer>()

beforeAll(async () => {
  const people = await stockConsole(config().databaseUrl ?? '', stock)
  for (const [brands, id] of people) {
    const user = await prisma().consoleUser.findUniqueOrThrow({
      where: { id },
      include: { memberships: true },
    })
    viewers.set(brands, viewerOf(user))
  }
}, 60_000)

/** The large tables that are read from end to end when something is looked at. */
async function largeScans(work: () => Promise<unknown>): Promise<string[]> {
  const { statements } = await statementsOf(work)
  expect(statements).not.toEqual([])
  const { rows: large } = await pool().query<{ name: string }>(
    'SELECT relname AS "name" FROM pg_class WHERE reltuples > $1',
    [LARGE],
  )
  const names = new Set(large.map(({ name }) => name))
  const scanned: string[] = []
  for (const { text, values } of statements) {
    const { rows } = await pool().query(`EXPLAIN (FORMAT JSON) ${text}`, values)
    scanned.push(...scannedTables(rows[0]['QUERY PLAN'][0].Plan))
  }
  return scanned.filter((table) => names.has(table))
}

/** What is looked at, and by people of how many Brands (0: of the Provider). */
const looks: [string, readonly number[], (viewer: Viewer) => Promise<unknown>][] = [
  ['expired grants', [1, 15], (viewer) => listGrants(viewer, { state: 'expired' })],
  ['the audit log by action', [0, 1, 15, 600], (viewer) => listAudit(viewer, { action: 'key.rotate' })],
  ['the audit log', [0, 1, 15, 600], (viewer) => listAudit(viewer, {})],
  ['refused requests', [0], (viewer) => listRefusals(viewer, { hours: 24 })],
  ['the last refused requests', [0], (viewer) => listLatestRefusals(viewer, { hours: 168 })],
  ['the home page', [0, 1, 15, 600], (viewer) => readTraffic(viewer, '24h')],
  ['usage over time', [0, 1, 15, 600], (viewer) => readUsage(viewer, rangeOfSpan('24h'))],
  [
    'usage by Brand',
    [0, 1, 15, 600],
    (viewer) => listUsageByBrand(viewer, rangeOfSpan('24h'), { limit: 100 }),
  ],
]

it.each(looks.flatMap(([name, brands, look]) => brands.map((count) => ({ name, count, look }))))(
  '$name, of $count Brands: no large table is read from end to end',
  async ({ count, look }) => {
    const viewer = viewers.get(count)
    expect(await largeScans(async () => viewer && look(viewer))).toEqual([])
  },
)

it('whole months are read off the days', async () => {
  const viewer = viewers.get(0)
  const { statements } = await statementsOf(
    async () => viewer && listUsageByBrand(viewer, rangeOfSpan('30d'), { limit: 100 }),
  )
  const [byBrand] = statements
  expect(byBrand?.text).toContain('"TrafficDay"')
  expect(byBrand?.text).not.toContain('"TrafficHour"')
})

it('and a scan would be found', async () => {
  expect(await largeScans(() => pool().query(`SELECT FROM "Grant" WHERE "revokedBy" = 'x'`))).toEqual([
    'Grant',
  ])
})
