import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { applyMigrations } from '#lib/platform/migrations.ts'
import { startTemporaryCluster } from '#lib/platform/temporary-cluster.ts'
import { TEMPLATE } from './database.ts'

async function createTemplate(serverUrl: string, templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`CREATE DATABASE "${TEMPLATE}"`)
  await client.end()
  await applyMigrations(templateUrl)
}

/**
 * Vitest's global setup: one throw-away PostgreSQL with a migrated template database, its address in
 * `TEST_DATABASE_SERVER`, and a master key for the processes of this run in `PACT_MASTER_KEY`. Against another Provider (`E2E_PROVIDER=any`) there is nothing to set up.
 *
 * @returns what ends it
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_PROVIDER === 'any' || process.env.TEST_DATABASE_SERVER) return undefined
  process.env.PACT_MASTER_KEY ??= randomBytes(32).toString('base64')
  const cluster = await startTemporaryCluster()
  await createTemplate(cluster.databaseUrl('postgres'), cluster.databaseUrl(TEMPLATE))
  process.env.TEST_DATABASE_SERVER = cluster.databaseUrl('postgres')
  return async () => {
    delete process.env.TEST_DATABASE_SERVER
    await cluster.stop()
  }
}
