import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blankDatabase, freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from './config.ts'
import { closeDatabase } from './database.ts'
import { databaseReady } from './readiness.ts'

const databases: { url: string; drop(): Promise<void> }[] = []

async function ready(url: string) {
  await closeDatabase()
  setDatabaseUrl(url)
  return databaseReady()
}

beforeAll(async () => {
  databases.push(await freshDatabase(), await blankDatabase())
})

afterAll(async () => {
  await closeDatabase()
  for (const database of databases) await database.drop()
})

describe('readiness', () => {
  const url = (index: number) => databases[index]?.url ?? ''

  it('is a migrated database that answers', async () => {
    expect(await ready(url(0))).toEqual({ reachable: true, migrated: true })
  })

  it('is not a database without its tables, nor one whose last migration has not finished', async () => {
    expect(await ready(url(1))).toEqual({ reachable: true, migrated: false })
    const client = new pg.Client({ connectionString: url(0) })
    await client.connect()
    await client.query('UPDATE "_prisma_migrations" SET finished_at = NULL')
    await client.end()
    expect(await ready(url(0))).toEqual({ reachable: true, migrated: false })
  })

  it('is not a database that does not answer', async () => {
    const closed = new URL(url(0))
    closed.port = '1'
    expect(await ready(closed.href)).toEqual({ reachable: false, migrated: false })
  })
})
