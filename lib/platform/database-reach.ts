import pg from 'pg'

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 5_000

/** The configured database can't be used. The message says what to do, and holds no password. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'
}

/** What PostgreSQL's or the system's error code means for whoever set `DATABASE_URL`. */
function advise(url: URL, error: { code?: string; message: string }): string {
  const place = `${url.hostname}:${url.port || 5432}`
  const user = decodeURIComponent(url.username)
  const name = decodeURIComponent(url.pathname.slice(1))
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
      return `Nothing answers at ${place}: start the database, or correct DATABASE_URL`
    case '28P01':
    case '28000':
      return `The database at ${place} refuses the user "${user}": correct user and password in DATABASE_URL`
    case '3D000':
      return `The database "${name}" does not exist at ${place}: create it, or correct DATABASE_URL`
    case '42501':
      return `The user "${user}" may not use the database "${name}" at ${place}: grant it the right to connect and to create tables`
    case '53300':
      return `The database at ${place} has no free connection: raise its max_connections, or stop what holds them`
    default:
      return `The database at ${place} can't be used (${error.message}): correct DATABASE_URL`
  }
}

/** @throws DatabaseUnusableError when the database at `databaseUrl` does not let this process in */
export async function assertDatabaseUsable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: PATIENCE })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const late =
      message === 'timeout expired' || message.startsWith('Connection terminated due to connection timeout')
    const reason = { message, ...(late ? { code: 'ETIMEDOUT' } : code ? { code } : {}) }
    throw new DatabaseUnusableError(advise(new URL(databaseUrl), reason))
  } finally {
    await client.end().catch(() => {})
  }
}
