import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '#prisma/generated/client.ts'
import { config } from './config.ts'
import { log } from './log.ts'
import { processState } from './process-state.ts'

/** How long a request may wait for a free connection, in milliseconds. */
const CONNECTION_WAIT = 5_000
/** How long a statement may take, waiting for locks included, before the database ends it; in milliseconds. */
const STATEMENT_TIME = 8_000
/**
 * How long its answer may take before its connection is given up as dead, in milliseconds. Longer: what is given up here
 * must not be done there later, or who tries again finds a code used up that gave nothing.
 */
const ANSWER_WAIT = 10_000

/** No database is configured: neither `DATABASE_URL` nor the embedded one. */
export class DatabaseMissingError extends Error {
  override name = 'DatabaseMissingError'
}

function open() {
  const connectionString = config().databaseUrl
  if (!connectionString) throw new DatabaseMissingError('DATABASE_URL is not set')
  const pool = new pg.Pool({
    connectionString,
    max: config().databasePool,
    connectionTimeoutMillis: CONNECTION_WAIT,
    // A connection can go silent without an end, as in a failover: nobody may wait for it for ever.
    query_timeout: ANSWER_WAIT,
    statement_timeout: STATEMENT_TIME,
    keepAlive: true,
  })
  // Without a listener, a connection that the server ends while idle would end the process.
  pool.on('error', (error) => log().warn({ reason: error.message }, 'an idle database connection was lost'))
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return { pool, prisma }
}

function database() {
  return processState('database', () => ({ current: undefined as ReturnType<typeof open> | undefined }))
}

function current() {
  const slot = database()
  slot.current ??= open()
  return slot.current
}

/** Prisma, on the process's one pool. Everything but the turn's hot path uses it. */
export function prisma(): PrismaClient {
  return current().prisma
}

/** The process's one pool, for the prepared statements of the turn's hot path. */
export function pool(): pg.Pool {
  return current().pool
}

/** Closes every connection; the next use opens them anew. */
export async function closeDatabase(): Promise<void> {
  const slot = database()
  const closing = slot.current
  slot.current = undefined
  if (!closing) return
  await closing.prisma.$disconnect()
  await closing.pool.end()
}
