import { beforeAll, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { type PlanNode, scannedTables } from '#e2e/harness/query-plan.ts'
import { findLiveGrantStatement } from '#lib/delegation/live-grant.ts'
import { pollPendingStatement } from '#lib/delegation/poll-pending.ts'
import { refreshStatement } from '#lib/delegation/refresh.ts'
import { findRefreshTokenStatement } from '#lib/delegation/revoke.ts'
import { pool } from '#lib/platform/database.ts'
import { addReceiptStatement } from './add-receipt.ts'
import { answerNextStatement, beginAnsweredStatement } from './answer-at-once.ts'
import { beginStatement, continueStatement, nextTurnStatement } from './claim-turn.ts'
import { earlierCallsStatement } from './earlier-calls.ts'
import { pastTurnsStatement } from './past-turns.ts'
import { settleLateDelegatedStatement, settleLateStatement } from './settle-late-turn.ts'
import {
  settleDelegatedStatement,
  settleManyDelegatedStatement,
  settleManyStatement,
  settleStatement,
  stepUpDelegatedStatement,
  stepUpStatement,
} from './settle-turn.ts'
import { settleUnsignedStatement } from './settle-unsigned-turn.ts'
import { storeTrafficStatement } from './traffic.ts'

const ROWS = 12_000
const brand = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const agent = '01890000-0000-7000-8000-000000000000'

/**
 * Statements that look for single rows: they are prepared when the first messages come, and what was planned then stays for
 * a while.
 */
const byKey = [
  beginAnsweredStatement,
  answerNextStatement,
  beginStatement,
  nextTurnStatement,
  continueStatement,
  settleManyStatement,
  settleStatement,
  settleManyDelegatedStatement,
  settleDelegatedStatement,
  settleLateStatement,
  settleLateDelegatedStatement,
  addReceiptStatement,
  settleUnsignedStatement,
  stepUpStatement,
  stepUpDelegatedStatement,
  findLiveGrantStatement,
  pollPendingStatement,
  refreshStatement,
  findRefreshTokenStatement,
]
const plannedWhileEmpty = new Map<string, PlanNode>()

databaseOfThisFile()
beforeAll(async () => {
  for (const { name, text } of byKey) plannedWhileEmpty.set(name, await explain(text))
  const rows = `generate_series(1, ${ROWS}) AS n`
  await pool().query(`
    INSERT INTO "Brand" ("id", "name", "description", "agent", "updatedAt") VALUES ('${brand}', 'A', 'A', '{}', now());
    INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "updatedAt")
      VALUES ('${agent}', 'https://pa.example', 'https://pa.example/jwks', 'A', now());
    INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
      SELECT 'g-' || n, '${brand}', '${agent}', 'u-' || n, 'b-' || n, '{}', now() + interval '1 day' FROM ${rows};
    INSERT INTO "RefreshToken" ("tokenHash", "brandId", "grantId", "scopes", "expiresAt")
      SELECT sha256(int4send(n)), '${brand}', 'g-' || n, '{}', now() + interval '1 day' FROM ${rows};
    INSERT INTO "DeviceAuthorization" ("id", "brandId", "personalAgentId", "subject", "deviceCodeHash", "userCodeHash", "expiresAt")
      SELECT gen_random_uuid(), '${brand}', '${agent}', 'u-' || n, sha256(int4send(n)), int4send(n), now() + interval '1 day'
      FROM ${rows};
    INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject")
      SELECT gen_random_uuid(), '${brand}', '${agent}', 'u-' || n FROM ${rows};
    INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text")
      SELECT '${brand}', "id", 'm-1', 'hello' FROM "Conversation";
    INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
      SELECT '${brand}', 'g-1', "id", 'm-1', 'a.b.c', '{}' FROM "Conversation";
    INSERT INTO "StepUp" ("brandId", "conversationId", "messageId", "calls")
      SELECT '${brand}', "id", 'm-1', '[]' FROM "Conversation";
    INSERT INTO "TrafficHour" ("hour", "brandId", "personalAgentId", "kind")
      SELECT date_trunc('hour', now(), 'UTC') - n * interval '1 hour', '${brand}', '', 'message' FROM ${rows};
    INSERT INTO "TrafficDay" ("day", "brandId", "kind")
      SELECT date_trunc('day', now(), 'UTC') - n * interval '24 hours', '${brand}', 'message' FROM ${rows};
    ANALYZE`)
}, 60_000)
/** What a statement is planned as when its values don't count. */
async function explain(text: string): Promise<PlanNode> {
  const { rows } = await pool().query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
  return rows[0]['QUERY PLAN'][0].Plan
}

/** The columns of each index that finds one row at most, by the index's name. */
async function uniqueIndexes(): Promise<Map<string, string[]>> {
  const { rows } = await pool().query(`
    SELECT i."indexrelid"::regclass::text AS "name", array_agg(a."attname"::text) AS "columns"
    FROM pg_index i JOIN pg_attribute a ON a."attrelid" = i."indexrelid"
    WHERE i."indisunique" AND i."indpred" IS NULL GROUP BY 1`)
  return new Map(rows.map(({ name, columns }) => [name.replaceAll('"', ''), columns]))
}

/** The parts of a plan that read a table in another way than a row by its key. */
function notByKey(node: PlanNode, unique: ReadonlyMap<string, string[]>): string[] {
  const { 'Relation Name': table, 'Index Name': index = '', 'Index Cond': condition = '' } = node
  const columns = unique.get(index)
  const named = columns?.every((column) => new RegExp(`\\b${column}\\b"? = `).test(condition)) ?? false
  const reads = table !== undefined && node['Node Type'] !== 'ModifyTable'
  const own = reads && !named ? [`${node['Node Type']} of ${table}: ${index} ${condition}`] : []
  return [...own, ...(node.Plans ?? []).flatMap((plan) => notByKey(plan, unique))]
}

describe('no statement of a turn reads a whole table', () => {
  const read = [...byKey, pastTurnsStatement, earlierCallsStatement, storeTrafficStatement]
  it.each(read)('$name', async ({ text }) => {
    expect(scannedTables(await explain(text))).toEqual([])
  })

  it.each(byKey)(
    '$name: it finds each row by its key, even as planned while there is nothing',
    async ({ name }) => {
      const plan = plannedWhileEmpty.get(name)
      expect(plan && notByKey(plan, await uniqueIndexes())).toEqual([])
    },
  )

  it('and one that does is found', async () => {
    const { rows } = await pool().query(`EXPLAIN (FORMAT JSON) SELECT FROM "Grant" WHERE "revokedBy" = 'x'`)
    expect(scannedTables(rows[0]['QUERY PLAN'][0].Plan)).toEqual(['Grant'])
    expect(notByKey(rows[0]['QUERY PLAN'][0].Plan, await uniqueIndexes())).toHaveLength(1)
  })
})
