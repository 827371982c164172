import { join } from 'node:path'
import { MasterKeyError } from '#lib/keys/master-key.ts'
import { SealError } from '#lib/keys/sealing.ts'
import { ConfigError, config, demoCommand, setDatabaseUrl } from '#lib/platform/config.ts'
import { assertDatabaseUsable, DatabaseUnusableError } from '#lib/platform/database-reach.ts'
import { openEmbeddedDatabase } from '#lib/platform/embedded-database.ts'
import { applyMigrations, MigrationError } from '#lib/platform/migrations.ts'
import { PostgresLaunchError } from '#lib/platform/postgres-account.ts'
import { ProvisionFileError } from '#lib/provisioning/provision-file-error.ts'
import { Closing } from './closing.ts'
import {
  assertDemoBrandPortFree,
  DemoBrandError,
  moveDemoBrand,
  readDemoBrandPort,
  startDemoBrand,
} from './demo-brand.ts'
import { ensureBuilt, ensurePrismaClient } from './generated-code.js'
import { assertPortFree, PortError } from './port.ts'
import { step } from './progress.js'
import { ToolError } from './run-tool.js'
import { readServeOptions, type ServeOptions, UsageError } from './serve-options.ts'

/** Whole: it is found wherever the operator stands. */
const demoFile = join(import.meta.dirname, '..', 'examples', 'demo.yaml')

/** The same signal again within this time is the same Ctrl-C, come another way; in milliseconds. */
const ECHO = 1_000

/** What an operator can put right: one message without a trace. */
const expected = [
  ConfigError,
  DatabaseUnusableError,
  DemoBrandError,
  MasterKeyError,
  MigrationError,
  PortError,
  PostgresLaunchError,
  ProvisionFileError,
  SealError,
  ToolError,
  UsageError,
]

const closing = new Closing()
const setup = new AbortController()
let stopping = false

async function openDatabase(): Promise<string> {
  const { databaseUrl, dataDir } = config()
  if (databaseUrl) {
    await assertDatabaseUsable(databaseUrl)
    return databaseUrl
  }
  const embedded = await step('Starting PostgreSQL', () => openEmbeddedDatabase(dataDir))
  closing.add(() => embedded.stop())
  return embedded.url
}

async function prepareDatabase(): Promise<void> {
  const url = await openDatabase()
  await step('Migrating the database', () => applyMigrations(url))
  setDatabaseUrl(url)
  const { assertMasterKeyOpens } = await import('#lib/keys/check-master-key.ts')
  await assertMasterKeyOpens()
}

/**
 * Reads the file before anything is started, and returns what applies it.
 *
 * @param adapt changes its text before it is understood
 */
async function readProvisionFile(
  file: string,
  adapt: (text: string) => string,
): Promise<() => Promise<void>> {
  const { loadProvision } = await import('#lib/provisioning/provision-file.ts')
  const { allowLoopback } = config()
  const { provision, faultAt } = await loadProvision(file, { allowLoopback, adapt })
  return async () => {
    const { applyProvision, ProvisionError } = await import('#lib/provisioning/apply-provision.ts')
    await applyProvision(provision, { dryRun: false }).catch((error) => {
      if (!(error instanceof ProvisionError)) throw error
      throw new ProvisionFileError(error.findings.map(({ path, reason }) => faultAt(path, reason)))
    })
  }
}

/** Only the embedded database gets the demo: others hold somebody's Brands. */
function isDemo({ demo }: ServeOptions): boolean {
  return demo && config().databaseUrl === undefined
}

/** Runs both; when one fails, ends the other before it throws. */
async function together(first: Promise<unknown>, second: Promise<unknown>): Promise<void> {
  try {
    await Promise.all([first, second])
  } catch (error) {
    setup.abort()
    await Promise.allSettled([first, second])
    throw error
  }
}

async function serve(args: string[]): Promise<void> {
  const options = readServeOptions(args)
  const { port, host, providerUrl } = config()
  const brandPort = isDemo(options) ? readDemoBrandPort(process.env) : undefined
  const file = options.provision ?? (brandPort === undefined ? undefined : demoFile)
  await assertPortFree(port, host)
  if (brandPort !== undefined) await assertDemoBrandPortFree(brandPort)
  await ensurePrismaClient(setup)
  const adapt = (text: string) => (brandPort === undefined ? text : moveDemoBrand(text, brandPort))
  const provision = file ? await readProvisionFile(file, adapt) : undefined
  await together(prepareDatabase(), ensureBuilt(setup))
  if (provision) await step('Applying the provision file', provision)
  setup.signal.throwIfAborted()
  if (brandPort !== undefined) closing.add(await startDemoBrand(brandPort))
  const { startServer } = await import('../server.ts')
  const server = await startServer()
  closing.add(() => server.close())
  console.log(`Serving at ${providerUrl} (Ctrl-C stops it).`)
  if (brandPort === undefined) return
  console.log(`The demo Brand's own pages are at http://localhost:${brandPort}.`)
  console.log(`Talk to a Brand's agent: ${demoCommand(providerUrl)}, in another terminal.`)
}

function report(error: unknown): void {
  const known = expected.some((kind) => error instanceof kind)
  if (error instanceof Error) console.error(known ? error.message : error.stack)
  else console.error(error)
}

/** Ends the process in order; the second signal does not wait for requests and connections any longer. */
function stop(): void {
  if (stopping) return
  stopping = true
  const since = performance.now()
  console.log('Stopping …')
  setup.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (performance.now() - since > ECHO) process.exit(130)
    })
  }
  void started.then(async () => {
    await closing.run()
    process.exit(0)
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// The process that `npm start` runs was killed: nobody could stop this one any more.
process.on('disconnect', stop)
process.channel?.unref()

const started = serve(process.argv.slice(2)).catch(async (error) => {
  if (!stopping) report(error)
  await closing.run()
  process.exit(stopping ? 130 : 1)
})
