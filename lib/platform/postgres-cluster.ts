import { chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAccount, type PostgresAccount, PostgresLaunchError, runAs } from './postgres-account.ts'
import { hydrateLibraries, postgresPrograms } from './postgres-programs.ts'
import { findPostmaster, judgePidFile, realFolder } from './postmaster-pid.ts'

const SUPERUSER = 'pact'
/** Before the random part of the folder in which a cluster is made. */
const STAGING = 'new-postgres-'
/** Older than any creation that still runs, in milliseconds. */
const STALE = 600_000
const START_SECONDS = 90
const STOP_SECONDS = 60
/** A `postmaster.pid` that is empty for longer was left by a crash; in milliseconds. */
const EMPTY_TIME = 5_000

/** A PostgreSQL cluster that runs on this machine, and listens on 127.0.0.1 alone. */
export type PostgresCluster = {
  port: number
  /** False when it ran already. */
  launched: boolean
  /** @returns the address of one of its databases, with the password */
  databaseUrl(database: string): string
  /** Ends its connections and shuts it down cleanly. */
  stop(): Promise<void>
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A TCP port of 127.0.0.1 that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no TCP port is free')
  return address.port
}

/** The last lines of PostgreSQL's log or a program's output, on one line. */
function tail(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ')
}

/** Removes what starts that died while they created a cluster left behind. */
async function removeStaleStaging(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(STAGING)) continue
    const path = join(parent, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STALE) await rm(path, { recursive: true, force: true })
  }
}

/**
 * Creates the cluster's files. They appear in `folder` complete or not at all: what a crash leaves half-made is in a
 * folder of its own.
 */
async function initialise(folder: string, password: string): Promise<void> {
  const parent = dirname(folder)
  await removeStaleStaging(parent)
  const staging = await mkdtemp(join(parent, STAGING))
  try {
    const { initdb } = await postgresPrograms()
    const account = await findAccount(initdb, staging)
    const passwordFile = join(staging, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (account.owner) await chown(passwordFile, account.owner.uid, account.owner.gid)
    const made = join(staging, 'cluster')
    const settings = [
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
    ]
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const { code, output } = await runAs(account, initdb, [
      `--pgdata=${made}`,
      '--no-instructions',
      ...settings,
      ...locale,
    ])
    if (code !== 0)
      throw new PostgresLaunchError(`PostgreSQL could not create its files in ${parent}: ${tail(output)}`)
    // Another process that starts at the same time may have been first: its files are as good.
    await rename(made, folder).catch(async (error) => {
      if (!(await exists(join(folder, 'PG_VERSION')))) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function prepareLog(log: string, account: PostgresAccount): Promise<void> {
  await (await open(log, 'a', 0o600)).close()
  if (account.owner) await chown(log, account.owner.uid, account.owner.gid)
}

async function launch(folder: string, log: string, account: PostgresAccount, settings: readonly string[]) {
  const { pgCtl } = await postgresPrograms()
  const port = await findFreePort()
  const all = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", `port=${port}`, ...settings]
  const options = all.map((setting) => `-c ${setting}`).join(' ')
  await prepareLog(log, account)
  // pg_ctl puts the server in a session of its own: Ctrl-C in the terminal does not reach it.
  const start = ['start', '-w', '-t', String(START_SECONDS), '-D', folder, '-l', log, '-o', options]
  const { code, output } = await runAs(account, pgCtl, start)
  if (code !== 0) {
    const reason = tail(await readFile(log, 'utf8').catch(() => output))
    throw new PostgresLaunchError(`PostgreSQL did not start in ${folder}: ${reason}`)
  }
}

async function stop(folder: string, account: PostgresAccount): Promise<void> {
  const { pgCtl } = await postgresPrograms()
  const { code, output } = await runAs(account, pgCtl, [
    'stop',
    '-m',
    'fast',
    '-w',
    '-t',
    String(STOP_SECONDS),
    '-D',
    folder,
  ])
  if (code !== 0 && (await findPostmaster(folder)))
    throw new PostgresLaunchError(`PostgreSQL in ${folder} did not stop: ${tail(output)}`)
}

/** The address of a database of the cluster that listens on `port`. */
export function databaseUrlAt(port: number, password: string, database: string): string {
  return `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/** The port of the cluster in `folder`; waits while it starts. */
async function listeningPort(folder: string): Promise<number | undefined> {
  for (let waited = 0; waited < START_SECONDS * 10; waited += 1) {
    const postmaster = await findPostmaster(folder)
    if (!postmaster || postmaster.port) return postmaster?.port
    await sleep(100)
  }
  return undefined
}

/**
 * Removes a `postmaster.pid` that would keep PostgreSQL from starting, and that no PostgreSQL can have a use for.
 *
 * @returns whether PostgreSQL serves the folder already
 * @throws PostgresLaunchError when a PostgreSQL lives under its number
 */
async function clearPidFile(folder: string): Promise<boolean> {
  const path = join(folder, 'postmaster.pid')
  for (;;) {
    const state = await judgePidFile(folder)
    if (state.kind === 'live') return true
    if (state.kind === 'none') return false
    if (state.kind === 'other')
      throw new PostgresLaunchError(
        `${path} names process ${state.file.pid}, a PostgreSQL that is not known to serve this folder: ` +
          'stop it, or delete the file if it serves another',
      )
    if (state.kind !== 'empty' || Date.now() - state.modified.getTime() > EMPTY_TIME) {
      await rm(path, { force: true })
      return false
    }
    await sleep(100)
  }
}

/** @returns whether this call launched it, and not another process at the same time */
async function launchUnlessRunning(
  folder: string,
  log: string,
  account: PostgresAccount,
  settings: readonly string[],
): Promise<boolean> {
  if (await clearPidFile(folder)) return false
  try {
    await launch(folder, log, account, settings)
    return true
  } catch (error) {
    if (!(await findPostmaster(folder))) throw error
    return false
  }
}

/**
 * Starts the cluster in the folder `path`, or finds it running there; creates it first if there is none.
 *
 * @param path its data; its parent must exist
 * @param password of its superuser `pact`, who owns every database
 * @param settings as in `postgresql.conf`, e.g. `fsync=off`, without blanks
 * @throws PostgresLaunchError saying what is in the way
 */
export async function startCluster(
  path: string,
  password: string,
  settings: readonly string[] = [],
): Promise<PostgresCluster> {
  await hydrateLibraries()
  const folder = await realFolder(path)
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(folder, password)
  const { pgCtl } = await postgresPrograms()
  const account = await findAccount(pgCtl, folder)
  const log = `${folder}.log`
  const launched = await launchUnlessRunning(folder, log, account, settings)
  const port = await listeningPort(folder)
  if (!port) {
    if (launched) await stop(folder, account)
    throw new PostgresLaunchError(
      `PostgreSQL runs in ${folder} but does not listen: stop it, then start again`,
    )
  }
  return {
    port,
    launched,
    databaseUrl: (database) => databaseUrlAt(port, password, database),
    stop: () => stop(folder, account),
  }
}

/** Creates the folder that holds a cluster's folder, so that PostgreSQL's own account can pass through it. */
export async function createClusterParent(path: string): Promise<void> {
  // Not `recursive`: below a folder that can't hold any, as /proc, that never ends.
  await mkdir(path, { mode: 0o711 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (error.code !== 'ENOENT' || (await exists(dirname(path)))) throw error
    await createClusterParent(dirname(path))
    await mkdir(path, { mode: 0o711 })
  })
}
