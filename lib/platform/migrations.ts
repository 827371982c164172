import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { type Migration, migrationsPath, readMigrations } from './migration-folder.ts'
import { withSchemaEngine } from './schema-engine.ts'

/** Any constant will do: it keeps migrating processes apart from each other, and from nobody else. */
const MIGRATION_LOCK = 7_204_176
export const noFilters = { externalTables: [], externalEnums: [] }

/** The database can't be migrated. The message says what is wrong and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** A database's migrations against the project's, each list oldest first. */
export type MigrationStatus = {
  applied: string[]
  pending: string[]
  /** Started in the database and never finished. */
  failed: string[]
  /** Applied with another script than the project has under that name. */
  edited: string[]
  /** Applied, and not among the project's. */
  unknown: string[]
}

type AppliedRow = { migration_name: string; checksum: string; finished: boolean }

async function readAppliedRows(client: pg.ClientBase): Promise<AppliedRow[]> {
  const table = await client.query<{ found: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS found`,
  )
  if (!table.rows[0]?.found) return []
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  return rows
}

/** Compares the project's migrations with the rows of a database's `_prisma_migrations`. */
export function compareMigrations(migrations: readonly Migration[], rows: readonly AppliedRow[]) {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  const finished = rows.filter((row) => row.finished)
  const applied = finished.map((row) => row.migration_name)
  const failed = rows.filter((row) => !row.finished).map((row) => row.migration_name)
  const started = new Set(rows.map((row) => row.migration_name))
  const edited = finished.filter((row) => {
    const migration = known.get(row.migration_name)
    return migration && migration.checksum !== row.checksum
  })
  return {
    applied,
    pending: migrations.map(({ name }) => name).filter((name) => !started.has(name)),
    failed,
    edited: edited.map((row) => row.migration_name),
    unknown: [...started].filter((name) => !known.has(name)),
  } satisfies MigrationStatus
}

async function readStatus(client: pg.ClientBase, migrations: readonly Migration[]): Promise<MigrationStatus> {
  return compareMigrations(migrations, await readAppliedRows(client))
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // A connection lost between two queries is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Says which of the project's migrations the database at `databaseUrl` has. Changes nothing. */
export async function migrationStatus(databaseUrl: string): Promise<MigrationStatus> {
  const migrations = await readMigrations()
  return withClient(databaseUrl, (client) => readStatus(client, migrations))
}

/** @throws MigrationError when the database's history can't be continued with the project's migrations */
export function assertMigratable(status: MigrationStatus): void {
  const { failed, edited, unknown } = status
  if (failed[0])
    throw new MigrationError(
      `Migration ${failed[0]} failed in this database before it finished. Its row in "_prisma_migrations" has the reason. ` +
        `Repair the database, delete that row and start again.`,
    )
  if (unknown[0])
    throw new MigrationError(
      `The database has migration ${unknown[0]}, which this version does not know. Start the version that made it, or a later one.`,
    )
  if (edited[0])
    throw new MigrationError(
      `prisma/migrations/${edited[0]}/migration.sql is not the script that this database applied. ` +
        `Restore the file, and put changes in a migration of their own.`,
    )
}

/** The project's migrations in the form that the schema engine reads. */
export function toMigrationList(migrations: readonly Migration[], lockfile: string): MigrationList {
  return {
    baseDir: migrationsPath(),
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

/** Runs `work` with the schema engine, the project's migrations and its schema. */
export async function withProjectEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine, list: MigrationList, schema: { path: string; content: string }) => Promise<T>,
): Promise<T> {
  const path = join(migrationsPath(), '..', 'schema.prisma')
  const schema = { path, content: await readFile(path, 'utf8') }
  const lockfile = await readFile(join(migrationsPath(), 'migration_lock.toml'), 'utf8')
  const list = toMigrationList(await readMigrations(), lockfile)
  return withSchemaEngine(schema, databaseUrl, (engine) => work(engine, list, schema))
}

/** @throws MigrationError when the user may not create tables where the project's are to be */
async function assertMayCreate(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null; user: string; database: string }>(
    `SELECT has_schema_privilege(to_regnamespace('public'), 'CREATE') AS may, current_user AS user,
     current_database() AS database`,
  )
  const [row] = rows
  if (!row || row.may) return
  const right = 'GRANT USAGE, CREATE ON SCHEMA public TO'
  throw new MigrationError(
    row.may === null
      ? `The database "${row.database}" has no schema public: create it (CREATE SCHEMA public)`
      : `The user "${row.user}" may not create tables in schema public of the database "${row.database}": ` +
          `run there, as its owner: ${right} "${row.user}"`,
  )
}

function asMigrationError(error: unknown): Error {
  if (error instanceof MigrationError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new MigrationError(`The database could not be migrated: ${message}`, { cause: error })
}

async function applyPending(databaseUrl: string): Promise<string[]> {
  try {
    return await withProjectEngine(databaseUrl, async (engine, migrationsList) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: noFilters })
      return appliedMigrationNames
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // After the reason comes the engine's own trace.
    const reason = message
      .split(/\n\s+0: /)[0]
      ?.trim()
      .replace(/\s*\n\s*/g, ' ')
    throw new MigrationError(`The database could not be migrated: ${reason}`, { cause: error })
  }
}

/**
 * Applies the project's migrations that the database at `databaseUrl` lacks. Processes that do so at once take turns, and
 * the first of them applies all. With nothing to apply it costs three queries and loads no engine.
 *
 * @param onProgress called with the names of the migrations to apply, before the first
 * @returns the names of the migrations that this call applied
 * @throws MigrationError when one failed, was edited, or comes from a later version, and when PostgreSQL refuses
 */
export async function applyMigrations(
  databaseUrl: string,
  onProgress?: (pending: string[]) => void,
): Promise<string[]> {
  const migrations = await readMigrations()
  return withClient(databaseUrl, async (client) => {
    const before = await readStatus(client, migrations)
    if (before.failed.length + before.pending.length + before.edited.length + before.unknown.length === 0)
      return []
    // Held by this session, and so released even when the process dies.
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const status = await readStatus(client, migrations)
    assertMigratable(status)
    if (status.pending.length === 0) return []
    await assertMayCreate(client)
    onProgress?.(status.pending)
    return applyPending(databaseUrl)
  }).catch((error) => {
    throw asMigrationError(error)
  })
}
