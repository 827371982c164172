import { constants } from 'node:os'
import { config, setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { findEmbeddedDatabase, openEmbeddedDatabase } from '#lib/platform/embedded-database.ts'
import { migrationStatus } from '#lib/platform/migrations.ts'
import { OperatorError } from './operator-error.ts'

type Session = { url: string; stop(): Promise<void> }

async function openSession(): Promise<Session> {
  const { databaseUrl, dataDir } = config()
  const running = databaseUrl ?? (await findEmbeddedDatabase(dataDir))
  return running ? { url: running, stop: async () => {} } : openEmbeddedDatabase(dataDir)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Lets `stop` run before a signal ends the process. @returns what undoes that */
function stopOnSignal(stop: () => Promise<void>): () => void {
  const end = (signal: NodeJS.Signals) => {
    void stop().finally(() => process.exit(128 + constants.signals[signal]))
  }
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

/**
 * Runs `work` with the Provider's database: the one of `DATABASE_URL`, the embedded one that a running Provider uses, or
 * the embedded one started for as long as this takes.
 */
export async function withDatabase(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const session = await openSession()
  setDatabaseUrl(session.url)
  const ignoreSignals = stopOnSignal(session.stop)
  try {
    await work(session.url)
  } finally {
    await closeDatabase()
    await session.stop()
    ignoreSignals()
  }
}

/** As `withDatabase`, for commands that need its tables. */
export function withMigratedDatabase(work: () => Promise<void>): Promise<void> {
  return withDatabase(async (databaseUrl) => {
    const { pending, failed } = await migrationStatus(databaseUrl)
    if (pending.length + failed.length > 0) {
      throw new OperatorError('The database is not migrated: run `npm run pact -- migrate apply`')
    }
    await work()
  })
}
