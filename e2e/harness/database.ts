import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The migrated database that every test's own is copied from. */
export const TEMPLATE = 'template_migrated'
/** PostgreSQL copies a template for one at a time only. */
const COPY_LOCK = 4_176_720

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_SERVER
  if (!url)
    throw new Error(
      'TEST_DATABASE_SERVER is not set: run this test in one of the projects of vitest.config.ts',
    )
  return url
}

async function withServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

async function createDatabase(
  name: string,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  await withServer(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [COPY_LOCK])
    await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`)
  })
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => withServer((client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)),
  }
}

/**
 * Creates a migrated, empty database for one test file.
 *
 * @returns its address, and what deletes it whoever is still connected
 */
export function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createDatabase(`test_${randomBytes(6).toString('hex')}`, TEMPLATE)
}

/** Creates a database with nothing in it, no tables either. */
export function blankDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createDatabase(`blank_${randomBytes(6).toString('hex')}`, 'template0')
}
