import { beforeAll, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { findLiveGrantStatement } from '#lib/delegation/live-grant.ts'
import { pool } from '#lib/platform/database.ts'
import { addReceiptStatement } from './add-receipt.ts'
import { beginStatement, continueStatement, nextTurnStatement } from './claim-turn.ts'
import { doneBeforeStatement } from './done-before.ts'
import { pastTurnsStatement } from './past-turns.ts'
import { settleLateDelegatedStatement, settleLateStatement } from './settle-late-turn.ts'
import {
  settleDelegatedStatement,
  settleStatement,
  stepUpDelegatedStatement,
  stepUpStatement,
} from './settle-turn.ts'

const ROWS = 12_000
const brand = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const agent = '01890000-0000-7000-8000-000000000000'

databaseOfThisFile()
beforeAll(async () => {
  const rows = `generate_series(1, ${ROWS}) AS n`
  await pool().query(`
    INSERT INTO "Brand" ("id", "name", "description", "agent", "updatedAt") VALUES ('${brand}', 'A', 'A', '{}', now());
    INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "updatedAt")
      VALUES ('${agent}', 'https://pa.example', 'https://pa.example/jwks', 'A', now());
    INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
      SELECT 'g-' || n, '${brand}', '${agent}', 'u-' || n, 'b-' || n, '{}', now() + interval '1 day' FROM ${rows};
    INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject")
      SELECT gen_random_uuid(), '${brand}', '${agent}', 'u-' || n FROM ${rows};
    INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text")
      SELECT '${brand}', "id", 'm-1', 'hello' FROM "Conversation";
    INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims")
      SELECT '${brand}', 'g-1', "id", 'm-1', 'a.b.c', '{}' FROM "Conversation";
    ANALYZE`)
}, 60_000)
type PlanNode = { 'Node Type': string; 'Relation Name'?: string; Plans?: PlanNode[] }

/** The tables that a plan reads from end to end. */
function scannedTables(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : []
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)]
}

describe('no statement of a turn reads a whole table', () => {
  it.each([
    beginStatement,
    nextTurnStatement,
    continueStatement,
    settleStatement,
    settleDelegatedStatement,
    settleLateStatement,
    settleLateDelegatedStatement,
    addReceiptStatement,
    stepUpStatement,
    stepUpDelegatedStatement,
    findLiveGrantStatement,
    pastTurnsStatement,
    doneBeforeStatement,
  ])('$name', async ({ text }) => {
    const { rows } = await pool().query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    expect(scannedTables(plan)).toEqual([])
  })

  it('and one that does is found', async () => {
    const { rows } = await pool().query(`EXPLAIN (FORMAT JSON) SELECT FROM "Grant" WHERE "revokedBy" = 'x'`)
    expect(scannedTables(rows[0]['QUERY PLAN'][0].Plan)).toEqual(['Grant'])
  })
})
