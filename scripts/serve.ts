import { join } from 'node:path'
import { MasterKeyError } from '#lib/keys/master-key.ts'
import { SealError } from '#lib/keys/sealing.ts'
import { ConfigError, config, demoCommand, setDatabaseUrl } from '#lib/platform/config.ts'
import { assertDatabaseUsable, DatabaseUnusableError } from '#lib/platform/database-reach.ts'
import { openEmbeddedDatabase } from '#lib/platform/embedded-database.ts'
import { applyMigrations, MigrationError } from '#lib/platform/migrations.ts'
import { PostgresLaunchError } from '#lib/platform/postgres-account.ts'
import { ProvisionFileError, toFileError } from '#lib/provisioning/provision-file-error.ts'
import { Closing } from './closing.ts'
import { applyDemoOnce, demoFile } from './demo-file.ts'
import {
  assertDemoPortsFree,
  type DemoPorts,
  DemoProgramError,
  moveDemo,
  readDemoPorts,
  startDemoPrograms,
} from './demo-programs.ts'
import { ensureBuilt, ensurePrismaClient } from './generated-code.js'
import { asPortError, assertPortFree, PortError } from './port.ts'
import { step } from './progress.js'
import { ToolError } from './run-tool.js'
import { readServeOptions, type ServeOptions, UsageError } from './serve-options.ts'

/** The same signal again within this time is the same Ctrl-C, come another way; in milliseconds. */
const ECHO = 1_000

/** What an operator can put right: one message without a trace. */
const expected = [
  ConfigError,
  DatabaseUnusableError,
  DemoProgramError,
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
/** Resolves when requests in flight are not to be waited for any longer. */
const hurry = Promise.withResolvers<void>()
let stopping = false
/** Settles when PostgreSQL is no longer being started. */
let opening: Promise<unknown> = Promise.resolve()

async function openDatabase(): Promise<string> {
  const { databaseUrl, dataDir } = config()
  if (databaseUrl) {
    await assertDatabaseUsable(databaseUrl)
    return databaseUrl
  }
  const embedded = step('Starting PostgreSQL', () => openEmbeddedDatabase(dataDir, loseDatabase))
  opening = embedded.then(({ stop }) => closing.add(stop)).catch(() => {})
  return (await embedded).url
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
 * @param options.adapt changes its text before it is understood
 */
async function readProvisionFile(
  file: string,
  { adapt, despiteChecks }: { adapt: (text: string) => string; despiteChecks: boolean },
): Promise<() => Promise<void>> {
  const { loadProvision } = await import('#lib/provisioning/provision-file.ts')
  const { allowLoopback } = config()
  const { provision, faultAt } = await loadProvision(file, { allowLoopback, adapt })
  return async () => {
    const { ProvisionError } = await import('#lib/provisioning/apply-provision.ts')
    const { announceChecks, applyChecked } = await import('#lib/provisioning/apply-checked.ts')
    const options = {
      dryRun: false,
      actor: { kind: 'system', name: 'provision file' },
      despiteChecks,
      onChecks: (brand: string, count: number) => console.log(announceChecks(brand, count)),
      signal: setup.signal,
    } as const
    await applyChecked(provision, options).catch((error) => {
      throw error instanceof ProvisionError ? toFileError(error, faultAt) : error
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

function announceAdmin(admin: { email: string; madePassword?: string } | undefined): void {
  if (!admin) return
  const { email, madePassword } = admin
  console.log(
    madePassword
      ? `Sign in as ${email} with the password ${madePassword} – it is shown once, and must be changed.`
      : `Sign in as ${email} with the password of ADMIN_PASSWORD, which must be changed.`,
  )
}

/** @param demoPorts where the demo's programs are, when the file is the demo's */
async function applyProvision(
  provision: () => Promise<void>,
  demoPorts: DemoPorts | undefined,
): Promise<void> {
  const apply = () => step('Applying the provision file', provision)
  if (!demoPorts) await apply()
  else if (!(await applyDemoOnce(config().dataDir, demoPorts, apply)))
    console.log(
      "The demo's Brands are as they were left: npm run pact -- apply examples/demo.yaml sets them back.",
    )
}

async function serve(args: string[]): Promise<void> {
  const options = readServeOptions(args)
  const { port, host, providerUrl } = config()
  const demoPorts = isDemo(options) ? readDemoPorts(process.env, port) : undefined
  const file = options.provision ?? (demoPorts ? demoFile : undefined)
  await assertPortFree(port, host)
  if (demoPorts) await assertDemoPortsFree(demoPorts)
  await ensurePrismaClient(setup)
  const adapt = (text: string) => (demoPorts ? moveDemo(text, demoPorts) : text)
  // Whatever became of the demo, it never keeps the Provider from starting.
  const despiteChecks = options.despiteChecks || demoPorts !== undefined
  const provision = file ? await readProvisionFile(file, { adapt, despiteChecks }) : undefined
  await together(prepareDatabase(), ensureBuilt(setup))
  if (provision) await applyProvision(provision, demoPorts)
  const { ensureFirstAdmin } = await import('#lib/access/first-admin.ts')
  // At once: it is stored already, and what comes next may fail.
  announceAdmin(await ensureFirstAdmin(config().admin))
  setup.signal.throwIfAborted()
  if (demoPorts) await startDemoPrograms(demoPorts, (stop) => closing.add(stop))
  const { startServer } = await import('../server.ts')
  const server = await startServer().catch((error) => {
    throw asPortError(error, port, host)
  })
  closing.add(() => Promise.race([server.close(), hurry.promise]))
  console.log(`Serving at ${providerUrl} (Ctrl-C stops it).`)
  console.log(`The console is at ${providerUrl}/admin.`)
  if (!demoPorts) return
  console.log(`The demo Brand's own pages are at http://localhost:${demoPorts.brand}.`)
  console.log(`Talk to a Brand's agent: ${demoCommand(providerUrl)}, in another terminal.`)
}

function report(error: unknown): void {
  const known = expected.some((kind) => error instanceof kind)
  if (error instanceof Error) console.error(known ? error.message : error.stack)
  else console.error(error)
}

/** Closes everything, PostgreSQL last, and ends the process: with 130 instead of 0 when it was interrupted in its set-up. */
async function end(code: number): Promise<void> {
  // What is being closed may leave nothing else that keeps the process alive.
  const alive = setInterval(() => {}, 1_000)
  // The set-up may wait for something that never comes; PostgreSQL's start does not.
  const served = await Promise.race([started, hurry.promise])
  await opening
  await closing.run()
  clearInterval(alive)
  process.exit(served ? code : code || 130)
}

/** Ends the process in order; the second signal does not wait for requests and connections any longer. */
function stop(code = 0): void {
  if (stopping) return
  stopping = true
  const since = performance.now()
  setup.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (performance.now() - since > ECHO) hurry.resolve()
    })
  }
  void end(code)
}

function obey(): void {
  if (!stopping) console.log('Stopping …')
  stop()
}

/** Nothing can be answered any more: whatever watches over the process may start it again. */
function loseDatabase(): void {
  if (stopping) return
  console.error(`The embedded PostgreSQL ended. ${join(config().dataDir, 'postgres.log')} may say why.`)
  stop(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, obey)
// The process that `npm start` runs was killed: nobody could stop this one any more.
process.on('disconnect', obey)
process.channel?.unref()

const started = serve(process.argv.slice(2)).then(
  () => true,
  async (error) => {
    if (stopping) return
    report(error)
    stop(1)
  },
)
