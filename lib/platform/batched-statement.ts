import type { QueryConfig } from 'pg'
import { pool } from './database.ts'

/** Batches of one statement that run at the same moment, at most: while they do, the next ones gather. */
const MOST_RUNNING = 2
/** Items of one batch, at most: it never takes long. */
const MOST_ITEMS = 32

/**
 * SQLSTATE classes of what a statement's own values bring about: data, constraints, rollback in favour of others, sizes.
 * What an error of another kind has left undone is not known.
 */
const FAULT_OF_VALUES = /^(22|23|40|54)...$/

/** The types that PostgreSQL reads an item's values as, by the names under which a statement knows them. */
export type Columns<Item> = { readonly [Name in keyof Item]: string }

/** A prepared statement that does the same for each of many items. */
export type StatementOfMany<Item> = { name: string; text: string; columns: Columns<Item> }

/**
 * In SQL: the relation `item`, a row for each item of a {@link StatementOfMany}, numbered by `n`.
 *
 * The limit leaves nothing out. It makes PostgreSQL plan for a single row, which it looks up by index, however small the
 * tables still are: a prepared statement keeps its plan while they grow.
 */
export function itemsOf<Item>(columns: Columns<Item>): string {
  const types: string[] = Object.values(columns)
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`)
  const names = Object.keys(columns).map((name) => `"${name}"`)
  return `
item AS (
  SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS item(${names.join(', ')}, "n")
  LIMIT cardinality($1)
)`
}

/** The statement with the values of these items. */
export function queryOf<Item>({ name, text, columns }: StatementOfMany<Item>, items: Item[]): QueryConfig {
  const values = Object.keys(columns).map((column) => items.map((item) => item[column as keyof Item]))
  return { name, text, values }
}

function isFaultOfValues(error: unknown): boolean {
  return FAULT_OF_VALUES.test(String((error as { code?: unknown }).code))
}

type Waiting<Item, Row> = { item: Item; answer: PromiseWithResolvers<Row | undefined> }

/**
 * Runs a statement for all who ask at the same moment together: most of what a small statement costs the database, it costs
 * once. Nobody waits for company. An item goes at once with those of the same round of the event loop; only while as many
 * batches run as may, the next ones gather. Where an item's value makes a batch fail, each of its items runs alone.
 *
 * @param statement its rows name their item by its `n`
 * @returns what runs it for one item, and answers with its row; undefined where the statement has none for it. It rejects
 *   with what its own values made of it, or when the database fails
 */
export function batchedStatement<Item, Row extends object>(
  statement: StatementOfMany<Item>,
): (item: Item) => Promise<Row | undefined> {
  const waiting: Waiting<Item, Row>[] = []
  let running = 0

  async function runBatch(batch: Waiting<Item, Row>[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    try {
      const { rows } = await pool().query<Row & { n: string }>(queryOf(statement, items))
      for (const { n, ...row } of rows) batch[Number(n) - 1]?.answer.resolve(row as unknown as Row)
      // Who has an answer keeps it.
      for (const { answer } of batch) answer.resolve(undefined)
    } catch (error) {
      if (batch.length > 1 && isFaultOfValues(error)) for (const one of batch) await runBatch([one])
      else for (const { answer } of batch) answer.reject(error)
    }
  }

  function runNext(): void {
    while (running < MOST_RUNNING && waiting.length > 0) {
      running += 1
      void runBatch(waiting.splice(0, MOST_ITEMS)).finally(() => {
        running -= 1
        runNext()
      })
    }
  }

  return (item) => {
    const answer = Promise.withResolvers<Row | undefined>()
    waiting.push({ item, answer })
    if (waiting.length === 1) setImmediate(runNext)
    return answer.promise
  }
}
