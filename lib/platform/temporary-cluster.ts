import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresCluster, startCluster } from './postgres-cluster.ts'
import { findPostmaster, isAlive } from './postmaster-pid.ts'

const PREFIX = 'pact-provider-cluster-'
/** Data that nobody needs after a power cut. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']
/** Between the folder's creation and the owner's note in it, in milliseconds. */
const YOUNG = 60_000

async function isAbandoned(folder: string): Promise<boolean> {
  const owner = Number(await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => ''))
  if (owner > 0) return !isAlive(owner)
  return Date.now() - (await stat(folder)).mtimeMs > YOUNG
}

/** Waits for the process to end, up to five seconds. */
async function waitForEnd(pid: number): Promise<void> {
  for (let waited = 0; waited < 50 && isAlive(pid); waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  if (!(await isAbandoned(folder))) return
  const server = await findPostmaster(join(folder, 'postgres'))
  if (server) {
    process.kill(server.pid, 'SIGQUIT')
    await waitForEnd(server.pid)
  }
  await rm(folder, { recursive: true, force: true })
}

/** Stops and deletes the temporary clusters whose makers ended without doing so. */
export async function removeAbandonedClusters(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX))
  // One that belongs to another user stays: that user's next run removes it.
  await Promise.allSettled(names.map((name) => removeAbandoned(join(tmpdir(), name))))
}

/**
 * Starts an empty PostgreSQL cluster in the system's folder for temporary files, without care for power cuts. It is for
 * tests and for computing migrations. `stop()` deletes it; when that never happens, the next call does.
 */
export async function startTemporaryCluster(): Promise<PostgresCluster> {
  await removeAbandonedClusters()
  const parent = await mkdtemp(join(tmpdir(), PREFIX))
  await chmod(parent, 0o711)
  await writeFile(join(parent, 'owner.pid'), String(process.pid))
  const cluster = await startCluster(join(parent, 'postgres'), randomBytes(16).toString('hex'), SETTINGS)
  return {
    ...cluster,
    stop: async () => {
      await cluster.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
