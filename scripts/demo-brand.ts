import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { config } from '#lib/platform/config.ts'
import { assertPortFree, PortError } from './port.ts'
import { ownNode, root } from './root.js'

/** Where the demo's provision file has the demo Brand. */
const PORT = 3200

/** The demo Brand can't be run. The message says what to do. */
export class DemoBrandError extends Error {
  override name = 'DemoBrandError'
}

/** The port of the demo Brand: `DEMO_BRAND_PORT`, or 3200. @throws DemoBrandError */
export function readDemoBrandPort(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment.DEMO_BRAND_PORT || String(PORT)
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new DemoBrandError('DEMO_BRAND_PORT must be a port number')
}

function urlOf(port: number): string {
  return `http://localhost:${port}`
}

/** The demo's provision file with the demo Brand at `port`. */
export function moveDemoBrand(provision: string, port: number): string {
  return provision.replaceAll(urlOf(PORT), urlOf(port))
}

/** @throws DemoBrandError when something else listens there */
export async function assertDemoBrandPortFree(port: number): Promise<void> {
  await assertPortFree(port, 'localhost').catch((error: unknown) => {
    if (!(error instanceof PortError)) throw error
    throw new DemoBrandError(
      `Port ${port}, for the demo Brand, is in use: stop what runs there, set DEMO_BRAND_PORT to another, or start with --no-demo`,
    )
  })
}

/**
 * Starts the demo Brand as a process of its own.
 *
 * @returns what ends it, once it serves
 * @throws DemoBrandError when it ends before; it has said why
 */
export async function startDemoBrand(port: number): Promise<() => Promise<void>> {
  const { providerUrl, dataDir } = config()
  const child = spawn(ownNode, [join(root, 'examples/brand/main.ts')], {
    cwd: root,
    // It gets none of the Provider's secrets.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: process.env.NODE_ENV,
      PROVIDER_URL: providerUrl,
      BRAND_URL: urlOf(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C in a terminal reaches this process alone, which ends the demo Brand in its turn.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const serving = new Promise<void>((resolve) => child.once('message', () => resolve()))
  const failed = ended.then(() => {
    throw new DemoBrandError('The demo Brand does not run: npm start -- --no-demo starts without it')
  })
  await Promise.race([serving, failed])
  failed.catch(() => {})
  child.channel?.unref()
  child.unref()
  return async () => {
    child.ref()
    child.kill('SIGTERM')
    await ended
  }
}
