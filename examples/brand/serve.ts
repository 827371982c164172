import { createAdaptorServer, type ServerType } from '@hono/node-server'
import type { Hono } from 'hono'

/** Both loopback addresses: whichever one `localhost` is looked up as. */
const HOSTS = ['127.0.0.1', '::1']

/** The program can't listen where it should. One line for whoever starts it. */
export class ListenError extends Error {
  override name = 'ListenError'
}

/**
 * Serves the Brand at its URL's port, on this machine alone.
 *
 * @returns what stops it
 * @throws ListenError
 */
export async function serveBrand(app: Hono, brandUrl: string): Promise<() => Promise<void>> {
  const port = Number(new URL(brandUrl).port || 80)
  const started = await Promise.allSettled(HOSTS.map((host) => listen(app, port, host)))
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    await Promise.all(servers.map(close))
  }
  const codes = started.map((result) => (result.status === 'rejected' ? String(result.reason.code) : ''))
  // A machine without IPv6 has one of the addresses only.
  if (servers.length > 0 && !codes.includes('EADDRINUSE')) return stop
  await stop()
  if (codes.includes('EADDRINUSE'))
    throw new ListenError(`Port ${port} is in use, and the demo Brand needs it`)
  throw new ListenError(`The demo Brand can't listen on port ${port} (${codes.join(', ')})`)
}

function listen(app: Hono, port: number, host: string): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = createAdaptorServer({ fetch: app.fetch })
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
