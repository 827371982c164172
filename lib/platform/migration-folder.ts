import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One migration as the project ships it. */
export type Migration = {
  /** The folder's name: `<UTC timestamp>_<name>`. */
  name: string
  sql: string
  /** SHA-256 of the script in hexadecimal, as Prisma keeps it in `_prisma_migrations`. */
  checksum: string
}

/** The project's migrations. npm runs every script in the project's own folder. */
export function migrationsPath(): string {
  return join(/* turbopackIgnore: true */ process.cwd(), 'prisma', 'migrations')
}

/** The names of the migrations in `folder`, oldest first. */
export async function readMigrationNames(folder = migrationsPath()): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** Reads the migrations in `folder`, oldest first. */
export async function readMigrations(folder = migrationsPath()): Promise<Migration[]> {
  const names = await readMigrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
