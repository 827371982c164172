import { randomBytes } from 'node:crypto'
import { access, constants, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PostgresLaunchError } from './postgres-account.ts'
import { createClusterParent, databaseUrlAt, type PostgresCluster, startCluster } from './postgres-cluster.ts'
import { findPostmaster } from './postmaster-pid.ts'

const DATABASE = 'pact'
/** Held by the one process that the embedded database serves, for as long as that process lives. */
const OWNER_LOCK = 6_417_720
const SETTINGS = ['max_connections=120', 'shared_buffers=256MB', 'wal_compression=on']
/** How long a server that recovers from a crash may refuse connections, in milliseconds. */
const RECOVERY = 120_000
/** How long PostgreSQL may take to notice that the previous owner died, in milliseconds. */
const HANDOVER = 3_000

/** The embedded PostgreSQL, as the process that started it sees it. */
export type EmbeddedDatabase = {
  /** With the password: not for logs. */
  url: string
  /** Shuts PostgreSQL down cleanly. Close the pool first. */
  stop(): Promise<void>
}

/** Another living process uses the database. */
class OwnedError extends PostgresLaunchError {
  override name = 'OwnedError'
}

function clusterFolder(dataDir: string): string {
  return join(resolve(dataDir), 'postgres')
}

function passwordFile(dataDir: string): string {
  return join(resolve(dataDir), 'database-password')
}

/** @throws PostgresLaunchError when there is none: a cluster keeps the password that it was made with */
async function readPassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir)
  const password = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (password.trim()) return password.trim()
  throw new PostgresLaunchError(
    `${file} is missing or empty: restore it, or delete it and ${clusterFolder(dataDir)} to start without any data`,
  )
}

/** The password of the cluster; made up only when there is no cluster yet. */
async function obtainPassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir)
  const hasCluster = await access(join(clusterFolder(dataDir), 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (!hasCluster) {
    const draft = `${file}.${process.pid}`
    await writeFile(draft, randomBytes(24).toString('hex'), { mode: 0o600 })
    // It appears complete, and one that another process made meanwhile stays.
    await link(draft, file)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      .finally(() => rm(draft, { force: true }))
  }
  return readPassword(dataDir)
}

/** Connects; waits while the server is still recovering. */
async function connect(connectionString: string): Promise<pg.Client> {
  for (let waited = 0; ; waited += 100) {
    const client = new pg.Client({ connectionString })
    // After it comes 'end'.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      // 57P03: cannot connect now.
      if ((error as { code?: string }).code !== '57P03' || waited > RECOVERY) throw error
      await sleep(100)
    }
  }
}

async function becomeOwner(client: pg.Client, dataDir: string): Promise<void> {
  for (let waited = 0; waited < HANDOVER; waited += 100) {
    const { rows } = await client.query<{ owner: boolean }>('SELECT pg_try_advisory_lock($1) AS owner', [
      OWNER_LOCK,
    ])
    if (rows[0]?.owner) return
    await sleep(100)
  }
  throw new OwnedError(
    `A Provider runs with the data in ${dataDir} already: stop it, or set DATA_DIR to another folder`,
  )
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
  if (!rowCount) await client.query(`CREATE DATABASE "${DATABASE}"`)
}

async function takeOver(cluster: PostgresCluster, dataDir: string): Promise<pg.Client> {
  const owner = await connect(cluster.databaseUrl('postgres')).catch((error: Error) => {
    throw new PostgresLaunchError(`The embedded PostgreSQL in ${dataDir} can't be used: ${error.message}`)
  })
  try {
    await becomeOwner(owner, dataDir)
    await createDatabase(owner)
    return owner
  } catch (error) {
    await owner.end()
    throw error
  }
}

/** Takes the cluster over; when that fails, stops it if this process launched it. */
async function takeOverOrStop(cluster: PostgresCluster, dataDir: string): Promise<pg.Client> {
  try {
    return await takeOver(cluster, dataDir)
  } catch (error) {
    // Another start may have taken over what this one launched: it serves that one.
    if (cluster.launched && !(error instanceof OwnedError)) await cluster.stop()
    throw error
  }
}

/** Makes sure of a folder that can be written to. */
async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  await createClusterParent(path)
  await access(path, constants.W_OK | constants.X_OK)
  return obtainPassword(dataDir)
}

/**
 * Starts the embedded PostgreSQL with the data in `dataDir`, which it creates at first. One that a killed process left
 * running is taken over. Signals from the terminal do not reach it: it runs until `stop()`.
 *
 * @param onLost called once when PostgreSQL ends, or drops this process, before `stop()`
 * @throws PostgresLaunchError when it can't run here, or serves another living process
 */
export async function openEmbeddedDatabase(dataDir: string, onLost?: () => void): Promise<EmbeddedDatabase> {
  const password = await prepareDataDir(dataDir).catch((error: Error) => {
    if (error instanceof PostgresLaunchError) throw error
    throw new PostgresLaunchError(`DATA_DIR ${dataDir} can't be used: ${error.message}`)
  })
  const cluster = await startCluster(clusterFolder(dataDir), password, SETTINGS)
  const owner = await takeOverOrStop(cluster, dataDir)
  let stopping = false
  owner.once('end', () => {
    if (!stopping) onLost?.()
  })
  return {
    url: cluster.databaseUrl(DATABASE),
    stop: async () => {
      stopping = true
      await owner.end()
      await cluster.stop()
    },
  }
}

/**
 * Finds the embedded PostgreSQL that a running Provider uses, for tools beside it.
 *
 * @returns its address with the password, or undefined when none runs
 */
export async function findEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  const postmaster = await findPostmaster(clusterFolder(dataDir))
  if (!postmaster?.port) return undefined
  return databaseUrlAt(postmaster.port, await readPassword(dataDir), DATABASE)
}
