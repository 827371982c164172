import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { batchedStatement, itemsOf, type StatementOfMany } from './batched-statement.ts'
import { pool } from './database.ts'

databaseOfThisFile()

type Item = { id: string; divisor: number; pause: number }
type Row = { id: string; quotient: number; companions: number }

const columns = { id: 'text', divisor: 'int', pause: 'float8' }

/** Divides 60 by what is asked, after the longest pause of the batch. There is no row for a negative divisor. */
const statement: StatementOfMany<Item> = {
  name: 'divide-many',
  columns,
  text: `
WITH ${itemsOf<Item>(columns)}, paused AS MATERIALIZED (SELECT pg_sleep((SELECT max("pause") FROM item)))
SELECT "n", "id", 60 / "divisor" AS "quotient", (SELECT count(*)::int FROM item) AS "companions"
FROM item, paused WHERE "divisor" >= 0`,
}

function ask(id: string, divisor: number, pause = 0): Item {
  return { id, divisor, pause }
}

describe('a batched statement', () => {
  it('runs once for all who ask at the same moment, and gives each its own row', async () => {
    const divide = batchedStatement<Item, Row>(statement)
    const asked = [ask('a', 2), ask('"b", {c}', 3), ask('none', -1), ask('d\\', 10)]
    expect(await Promise.all(asked.map(divide))).toEqual([
      { id: 'a', quotient: 30, companions: 4 },
      { id: '"b", {c}', quotient: 20, companions: 4 },
      undefined,
      { id: 'd\\', quotient: 6, companions: 4 },
    ])
  })

  it('waits for nobody while fewer batches run than may; from then on those who wait go together', async () => {
    const divide = batchedStatement<Item, Row>(statement)
    const first = divide(ask('a', 1, 0.2))
    await sleep(20)
    const second = divide(ask('b', 1, 0.2))
    await sleep(20)
    const gathered = [divide(ask('c', 1))]
    await sleep(20)
    gathered.push(divide(ask('d', 1)))
    const rows = await Promise.all([first, second, ...gathered])
    expect(rows.map((row) => row?.companions)).toEqual([1, 1, 2, 2])
  })

  it('takes no more than so many at once', async () => {
    const divide = batchedStatement<Item, Row>(statement)
    const rows = await Promise.all(Array.from({ length: 100 }, (_, n) => divide(ask(`${n}`, 1))))
    expect(rows.map((row) => row?.id)).toEqual(rows.map((_, n) => `${n}`))
    expect(Math.max(...rows.map((row) => row?.companions ?? 0))).toBe(32)
  })

  it('fails for those alone whose values make it fail', async () => {
    const divide = batchedStatement<Item, Row>(statement)
    const asked = [ask('a', 2), ask('b', 0), ask('\0', 2), ask('c', -1), ask('d', 3)]
    const results = await Promise.allSettled(asked.map(divide))
    expect(results).toMatchObject([
      { value: { quotient: 30, companions: 1 } },
      { reason: { message: 'division by zero' } },
      { status: 'rejected' },
      { value: undefined },
      { value: { quotient: 20, companions: 1 } },
    ])
  })

  it('rejects for everyone when the database fails it', async () => {
    const broken = { ...statement, name: 'broken', text: 'SELECT FROM "NoSuchTable", unnest($1, $2, $3)' }
    const divide = batchedStatement<Item, Row>(broken)
    const results = await Promise.allSettled([divide(ask('a', 1)), divide(ask('b', 1))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('rejects when its connection is lost, since what was done is not known', async () => {
    const divide = batchedStatement<Item, Row>(statement)
    // Waited for from the start: it may reject before the connection's end is told here.
    const lost = expect(divide(ask('a', 1, 5))).rejects.toThrow()
    await vi.waitFor(async () => {
      const { rows } = await pool().query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      )
      expect(rows).toHaveLength(1)
    })
    await lost
    expect(await divide(ask('a', 1))).toMatchObject({ quotient: 60 })
  })
})
