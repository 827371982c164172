import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { config, setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { openEmbeddedDatabase } from '#lib/platform/embedded-database.ts'
import { applyMigrations } from '#lib/platform/migrations.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import type { Provision } from '#lib/provisioning/schema.ts'

/** The bench's own PostgreSQL: the embedded one as `npm start` runs it, on the same disk, with nothing in it. */
export type BenchCluster = { folder: string; url: string; stop(): Promise<void> }

/** Starts it. What a killed bench left is taken over and deleted. @throws PostgresLaunchError while another runs */
export async function openCluster(): Promise<BenchCluster> {
  const folder = join(config().dataDir, 'bench')
  if (existsSync(join(folder, 'postgres'))) await (await openEmbeddedDatabase(folder)).stop()
  await rm(folder, { recursive: true, force: true })
  const database = await openEmbeddedDatabase(folder)
  return {
    folder,
    url: database.url,
    stop: async () => {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Does something with one connection to the database at `url`. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A database with the Provider of the bench: its address, and the id of the one personal agent. */
export type BenchProvider = { url: string; personalAgentId: string }

/** Creates a migrated database in the cluster. @returns its address */
export async function createDatabase(cluster: BenchCluster, name: string): Promise<string> {
  await withClient(cluster.url, (client) => client.query(`CREATE DATABASE "${name}"`))
  const address = new URL(cluster.url)
  address.pathname = `/${name}`
  await applyMigrations(address.href)
  return address.href
}

/** Creates a migrated database in the cluster, with the Provider of the bench in it. */
export async function createProvider(
  cluster: BenchCluster,
  name: string,
  provision: Provision,
): Promise<BenchProvider> {
  const url = await createDatabase(cluster, name)
  setDatabaseUrl(url)
  await applyProvision(provision, { dryRun: false })
  await closeDatabase()
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT "id" FROM "PersonalAgent"')
    return { url, personalAgentId: String(rows[0]?.id) }
  })
}

/** Conversations of one to nine messages, five on average, of the last 90 days; half of them were ended by the agent. */
const loadStatement = `
WITH made AS (
  SELECT gen_random_uuid() AS "id", n, now() - random() * interval '90 days' AS "at"
  FROM generate_series(1, $3::int / 5) AS n
), conversation AS (
  INSERT INTO "Conversation"
    ("id", "brandId", "personalAgentId", "subject", "state", "closedBy", "closedAt", "createdAt", "lastActiveAt")
  SELECT "id", $1, $2, 'stored-' || n % 50000, (CASE WHEN n % 2 = 0 THEN 'closed' ELSE 'open' END)::"ConversationState",
    (CASE WHEN n % 2 = 0 THEN 'agent' END)::"ClosedBy", CASE WHEN n % 2 = 0 THEN "at" END, "at", "at"
  FROM made ORDER BY "at"
)
INSERT INTO "Message"
  ("brandId", "conversationId", "messageId", "text", "receivedAt", "replyId", "replyText", "repliedAt")
SELECT $1, "id", 'm-' || turn, 'Where is my order A-88213? It should have arrived on Monday.', "at", gen_random_uuid(),
  'Order A-88213 leaves our warehouse tomorrow and is with you two days later. Is there anything else about it?', "at"
FROM made CROSS JOIN LATERAL generate_series(1, 1 + n % 9) AS turn ORDER BY "at", turn`

/** Fills a database with stored messages, and leaves it as one that has been running for long. */
export async function loadMessages(
  url: string,
  owner: { brandId: string; personalAgentId: string },
  count: number,
): Promise<void> {
  await withClient(url, async (client) => {
    // What is inserted refers only to what is inserted with it: checking every row would take most of the time.
    await client.query('SET session_replication_role = replica')
    await client.query(loadStatement, [owner.brandId, owner.personalAgentId, count])
    await client.query('VACUUM (ANALYZE) "Conversation", "Message"')
    await client.query('CHECKPOINT')
  })
}
