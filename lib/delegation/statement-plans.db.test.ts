import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { type PlanNode, scannedTables } from '#e2e/harness/query-plan.ts'
import { pool } from '#lib/platform/database.ts'
import { cleaningStatements } from './cleaning.ts'
import { findStatement, startStatement } from './device-authorization.ts'
import { findRecentWithdrawalStatement, listChangesStatement } from './grant-changes.ts'
import { countReceiptsStatement, latestReceiptsStatement } from './grant-receipts.ts'
import { findGrantStatement, listStatement, revokeStatement, withdrawStatement } from './grants.ts'
import { findLiveGrantStatement } from './live-grant.ts'
import { pollPendingStatement } from './poll-pending.ts'
import { pollStatement } from './redeem-device-code.ts'
import { refreshStatement } from './refresh.ts'
import { findRefreshTokenStatement } from './revoke.ts'
import {
  endSessionsStatement,
  findSessionStatement,
  redeemAssertionStatement,
  startSessionStatement,
} from './user-session.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
let values: Record<string, unknown[]>

/** More rows than anyone may scan, of one Brand and one personal agent: the worst that a table can be. */
const ROWS = 20_000

beforeAll(async () => {
  provider = await openDelegatingDatabase()
  const { brandId, caller } = provider
  const owner = [brandId, caller.personalAgent.id]
  const run = (text: string, given: unknown[] = owner) => pool().query(text, given)
  await run(`
    INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
    SELECT 'g-' || n, $1, $2, 'user-' || n, 'jane-' || n, '{orders:read}', now() + interval '1 day'
    FROM generate_series(1, ${ROWS}) n`)
  await run(`
    INSERT INTO "DeviceAuthorization" ("id", "brandId", "personalAgentId", "subject", "deviceCodeHash", "userCodeHash",
      "requestedScopes", "grantedScopes", "state", "grantId", "expiresAt")
    SELECT gen_random_uuid(), $1, $2, 'user-' || n, sha256(('d' || n)::bytea), sha256(('u' || n)::bytea),
      '{orders:read}', '{orders:read}', 'approved', 'g-' || n, now() + interval '1 day'
    FROM generate_series(1, ${ROWS}) n`)
  await run(
    `INSERT INTO "RefreshToken" ("tokenHash", "brandId", "grantId", "scopes", "expiresAt")
    SELECT sha256(('r' || n)::bytea), $1, 'g-' || n, '{orders:read}', now() + interval '1 day'
    FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "UsedAssertion" ("brandId", "jti", "expiresAt")
    SELECT $1, 'j-' || n, now() + interval '1 day' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "UserSession" ("tokenHash", "brandId", "brandUserId", "expiresAt")
    SELECT sha256(('s' || n)::bytea), $1, 'jane-' || n, now() + interval '1 day' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
    SELECT $1, 'g-' || n, gen_random_uuid(), 'm', 'jws', '{}' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "GrantChange" ("brandId", "grantId", "kind", "by", "scopesBefore", "scopesAfter")
    SELECT $1, 'g-' || n, 'approved', 'user', '{}', '{orders:read}' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "TrafficHour" ("hour", "brandId", "personalAgentId", "kind")
    SELECT now() - n * interval '1 hour', $1, '', 'message' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "TrafficDay" ("day", "brandId", "kind")
    SELECT now() - n * interval '24 hours', $1, 'message' FROM generate_series(1, ${ROWS}) n`,
    [brandId],
  )
  await run(
    `INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count")
    SELECT now() - n * interval '1 hour', '', 'expired', 1 FROM generate_series(1, ${ROWS}) n`,
    [],
  )
  await run(
    `INSERT INTO "RefusedDay" ("day", "personalAgentId", "reason", "count", "lastHour")
    SELECT now() - n * interval '24 hours', '', 'expired', 1, now() FROM generate_series(1, ${ROWS}) n`,
    [],
  )
  await run('ANALYZE', [])
  const hash = Buffer.alloc(32)
  const parties = [hash, ...owner, 'user-1', ['orders:read'], Buffer.alloc(32, 1)]
  values = {
    [startStatement.name]: [...owner, 'user-1', hash, hash, ['orders:read'], 5, 600],
    [findStatement.name]: [brandId, hash],
    [pollStatement.name]: parties,
    [pollPendingStatement.name]: [[`"\\\\x${hash.toString('hex')}"`], [brandId], [owner[1]], ['user-1']],
    [refreshStatement.name]: [...parties, null],
    [findRefreshTokenStatement.name]: [hash, ...owner, 'user-1'],
    [findLiveGrantStatement.name]: ['g-1', ...owner, 'user-1', 'jane-1', 0, 0].map((value) => [value]),
    [findGrantStatement.name]: [...owner, 'user-1', 'jane-1'],
    [listStatement.name]: [brandId, 'jane-1'],
    [revokeStatement.name]: [brandId, 'g-1', 'user', null, null],
    [startSessionStatement.name]: [hash, brandId, 'jane-1', null, null, 900, '2026-01-01'],
    [redeemAssertionStatement.name]: [hash, brandId, 'jane-1', null, null, 900, 'j', 0],
    [findSessionStatement.name]: [hash, brandId],
    [endSessionsStatement.name]: [brandId, 'jane-1'],
    [countReceiptsStatement.name]: ['g-1', brandId],
    [latestReceiptsStatement.name]: ['g-1', brandId],
    [withdrawStatement.name]: [brandId, 'g-1', 'orders:read', 'user', null, null],
    [listChangesStatement.name]: [brandId, 'g-1', 100],
    [findRecentWithdrawalStatement.name]: [brandId, 'g-1', 'jane-1'],
  }
})
afterAll(() => provider.close())

/** The plan that a prepared statement gets after its first runs, when its values no longer matter. */
async function explain({ name, text }: { name: string; text: string }): Promise<PlanNode> {
  const client = await pool().connect()
  try {
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE "plan-${name}" AS ${text}`)
    const given = (values[name] ?? []).map((value) => {
      if (value === null || typeof value === 'number') return String(value)
      if (Array.isArray(value)) return `'{${value.join(',')}}'`
      return Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : `'${value}'`
    })
    const call = given.length > 0 ? `(${given.join(', ')})` : ''
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE "plan-${name}"${call}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    client.release(true)
  }
}

describe('nothing scans a table of §5, nor what is cleaned with them', () => {
  it.each(
    [
      startStatement,
      findStatement,
      pollStatement,
      pollPendingStatement,
      refreshStatement,
      findRefreshTokenStatement,
      findLiveGrantStatement,
      findGrantStatement,
      listStatement,
      revokeStatement,
      withdrawStatement,
      startSessionStatement,
      redeemAssertionStatement,
      findSessionStatement,
      endSessionsStatement,
      countReceiptsStatement,
      latestReceiptsStatement,
      listChangesStatement,
      findRecentWithdrawalStatement,
      ...cleaningStatements,
    ].map((statement) => ({ name: statement.name, statement })),
  )('$name', async ({ statement }) => {
    const tables = ['Grant', 'DeviceAuthorization', 'RefreshToken']
    const counted = ['TrafficHour', 'TrafficDay', 'RefusedRequests', 'RefusedDay']
    const large = new Set([...tables, 'UsedAssertion', 'UserSession', 'Receipt', 'GrantChange', ...counted])
    expect(scannedTables(await explain(statement)).filter((table) => large.has(table))).toEqual([])
  })

  it('and a scan would be noticed', async () => {
    const scan = { name: 'scan', text: `SELECT * FROM "Grant" WHERE "revokedBy" = 'nobody'` }
    expect(scannedTables(await explain(scan))).toEqual(['Grant'])
  })
})
