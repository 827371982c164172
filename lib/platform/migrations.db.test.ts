import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { blankDatabase, freshDatabase } from '#e2e/harness/database.ts'
import { readMigrationNames } from './migration-folder.ts'
import { applyMigrations, migrationStatus } from './migrations.ts'
import { diffFromDatabase } from './schema-drift.ts'

const dropping: (() => Promise<void>)[] = []

async function database(create: typeof freshDatabase): Promise<string> {
  const made = await create()
  dropping.push(made.drop)
  return made.url
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

afterEach(async () => {
  for (const drop of dropping.splice(0)) await drop()
})

describe('migrations', () => {
  it('bring a database to exactly the schema', async () => {
    expect(await diffFromDatabase(await database(freshDatabase))).toBe('')
  })

  it('notice a column that the schema does not have', async () => {
    const url = await database(freshDatabase)
    await query(url, 'ALTER TABLE "Brand" ADD COLUMN "extra" text')
    expect(await diffFromDatabase(url)).toContain('DROP COLUMN "extra"')
  })

  it('are applied once by two processes that start at the same time', async () => {
    const url = await database(blankDatabase)
    const program = `const { applyMigrations } = await import('#lib/platform/migrations.ts')
      console.log(JSON.stringify(await applyMigrations(process.env.URL)))`
    const options = { env: { ...process.env, URL: url } }
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options)
    const outputs = await Promise.all([run(), run()])
    const applied = outputs.flatMap(({ stdout }) => JSON.parse(stdout))
    const names = await readMigrationNames()
    expect(applied).toEqual(names)
    expect(await query(url, 'SELECT migration_name FROM "_prisma_migrations"')).toHaveLength(names.length)
  })

  it('report progress, and nothing the second time', async () => {
    const url = await database(blankDatabase)
    const announced: string[][] = []
    await applyMigrations(url, (pending) => announced.push(pending))
    expect(await applyMigrations(url, (pending) => announced.push(pending))).toEqual([])
    expect(announced).toEqual([await readMigrationNames()])
    expect(await migrationStatus(url)).toMatchObject({ pending: [], failed: [], edited: [], unknown: [] })
  })

  it('stop at one that failed, and say so', async () => {
    const url = await database(freshDatabase)
    await query(url, 'UPDATE "_prisma_migrations" SET finished_at = NULL')
    await expect(applyMigrations(url)).rejects.toThrow(/failed in this database/)
  })

  it('stop at one that was edited after it was applied', async () => {
    const url = await database(freshDatabase)
    await query(url, `UPDATE "_prisma_migrations" SET checksum = 'other'`)
    await expect(applyMigrations(url)).rejects.toThrow(/Restore the file/)
  })

  it('say which right is missing before they begin', async () => {
    const url = new URL(await database(blankDatabase))
    await query(url.href, `CREATE ROLE poor LOGIN PASSWORD 'x'`)
    const owner = url.href
    url.username = 'poor'
    url.password = 'x'
    await expect(applyMigrations(url.href)).rejects.toThrow(
      /"poor" may not create .*GRANT USAGE, CREATE ON SCHEMA public TO "poor"$/,
    )
    await query(owner, 'DROP ROLE poor')
  })

  it('stop at a database of a later version', async () => {
    const url = await database(freshDatabase)
    await query(
      url,
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('x', 'x', '99990101000000_later', now(), 1)`,
    )
    await expect(applyMigrations(url)).rejects.toThrow(/99990101000000_later.*Start the version/)
  })
})

describe('the registry revision', () => {
  it('rises with every statement that changes a registry table, and with no other', async () => {
    const url = await database(freshDatabase)
    const revision = async () => (await query(url, 'SELECT value FROM "RegistryRevision"'))[0]?.value
    expect(await revision()).toBe('0')
    for (const table of ['Provider', 'PersonalAgent', 'Brand', 'Scope', 'Skill', 'Tool']) {
      const before = BigInt(String(await revision()))
      await query(url, `DELETE FROM "${table}"`)
      expect(BigInt(String(await revision())) - before, table).toBe(1n)
    }
    await query(url, 'DELETE FROM "Conversation"')
    expect(await revision()).toBe('6')
  })

  it('rises for a personal agent that was registered, and for none that was discovered', async () => {
    const url = await database(freshDatabase)
    const revision = async () => (await query(url, 'SELECT value FROM "RegistryRevision"'))[0]?.value
    const insert = (...origins: string[]) =>
      query(
        url,
        `INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "origin", "updatedAt")
         SELECT gen_random_uuid(), gen_random_uuid()::text, 'u', 'n', o::"PersonalAgentOrigin", now()
         FROM unnest('{${origins.join()}}'::text[]) AS o`,
      )
    await insert('discovered', 'discovered')
    expect(await revision()).toBe('0')
    await insert('registered')
    expect(await revision()).toBe('1')
    await insert('discovered', 'registered')
    expect(await revision()).toBe('2')
    await query(url, `UPDATE "PersonalAgent" SET "enabled" = false WHERE "origin" = 'discovered'`)
    expect(await revision()).toBe('3')
    await query(url, `DELETE FROM "PersonalAgent" WHERE "origin" = 'discovered'`)
    expect(await revision()).toBe('4')
  })

  it('is one row', async () => {
    const url = await database(freshDatabase)
    await expect(query(url, 'INSERT INTO "RegistryRevision" VALUES (2, 0)')).rejects.toThrow(/one_row/)
  })
})
