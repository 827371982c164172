import { afterAll, beforeAll } from 'vitest'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { freshDatabase } from './database.ts'

/** A migrated database for all tests of the file that calls this, made and dropped by Vitest's hooks; the process uses it. */
export function databaseOfThisFile(): void {
  let database: Awaited<ReturnType<typeof freshDatabase>> | undefined
  beforeAll(async () => {
    database = await freshDatabase()
    setDatabaseUrl(database.url)
  })
  afterAll(async () => {
    await closeDatabase()
    await database?.drop()
  })
}
