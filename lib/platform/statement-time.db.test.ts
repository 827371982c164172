import { expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool } from './database.ts'

databaseOfThisFile()
it('a statement that waits too long is ended by the database: it does not happen later', {
  timeout: 30_000,
}, async () => {
  await pool().query('CREATE TABLE "Row" ("value" int); INSERT INTO "Row" VALUES (1)')
  const other = await pool().connect()
  await other.query('BEGIN; SELECT FROM "Row" FOR UPDATE')
  const late = pool().query('UPDATE "Row" SET "value" = 2')
  await expect(late).rejects.toMatchObject({ code: '57014' })
  await other.query('COMMIT')
  other.release()
  const { rows } = await pool().query('SELECT "value" FROM "Row" FOR UPDATE')
  expect(rows).toEqual([{ value: 1 }])
})
