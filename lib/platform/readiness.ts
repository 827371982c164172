import { pool } from './database.ts'
import { readMigrationNames } from './migration-folder.ts'

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 2_000

const finishedMigrations = `SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`

async function readFinished(): Promise<Set<string>> {
  const { rows } = await pool().query<{ migration_name: string }>(finishedMigrations)
  return new Set(rows.map((row) => row.migration_name))
}

function isMissingTable(error: unknown): boolean {
  return (error as { code?: string }).code === '42P01'
}

async function check(): Promise<{ reachable: boolean; migrated: boolean }> {
  try {
    const [finished, names] = await Promise.all([readFinished(), readMigrationNames()])
    return { reachable: true, migrated: names.every((name) => finished.has(name)) }
  } catch (error) {
    return { reachable: isMissingTable(error), migrated: false }
  }
}

/**
 * Says whether the Provider can serve: its database answers within two seconds, and has every migration of this version.
 * Never throws.
 */
export async function databaseReady(): Promise<{ reachable: boolean; migrated: boolean }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<{ reachable: boolean; migrated: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ reachable: false, migrated: false }), PATIENCE)
  })
  try {
    return await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}
