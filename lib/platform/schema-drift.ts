import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsPath } from './migration-folder.ts'
import { noFilters, withProjectEngine } from './migrations.ts'
import { startTemporaryCluster } from './temporary-cluster.ts'

/** What the engine prints when there is nothing to do. */
const EMPTY = '-- This is an empty migration.'

function toScript(stdout: string | null): string {
  const script = stdout ?? ''
  return script.trim() === EMPTY ? '' : script
}

/**
 * Compares a database with prisma/schema.prisma.
 *
 * @returns the SQL that would make it equal; empty when it is
 */
export async function diffFromDatabase(databaseUrl: string): Promise<string> {
  return withProjectEngine(databaseUrl, async (engine, _migrations, schema) => {
    const from = {
      tag: 'schemaDatasource' as const,
      files: [schema],
      configDir: join(migrationsPath(), '..'),
    }
    const to = { tag: 'schemaDatamodel' as const, files: [schema] }
    const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilters })
    return toScript(stdout)
  })
}

function timestamp(): string {
  return new Date().toISOString().replace(/\D/g, '').slice(0, 14)
}

/**
 * Writes the migration from the project's migrations to prisma/schema.prisma. It computes on a temporary PostgreSQL, never
 * on the Provider's database. Add by hand what the schema can't say.
 *
 * @param name what it does, e.g. `grants`; becomes part of the folder's name
 * @returns the path of the script, or undefined when the migrations already give the schema
 */
export async function createMigration(name: string): Promise<string | undefined> {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  const cluster = await startTemporaryCluster()
  try {
    const script = await withProjectEngine(
      cluster.databaseUrl('postgres'),
      async (engine, migrations, schema) => {
        const from = { tag: 'migrations' as const, ...migrations }
        const to = { tag: 'schemaDatamodel' as const, files: [schema] }
        const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilters })
        return toScript(stdout)
      },
    )
    if (script === '') return undefined
    const folder = join(migrationsPath(), `${timestamp()}_${slug}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'migration.sql'), script)
    return join(folder, 'migration.sql')
  } finally {
    await cluster.stop()
  }
}
