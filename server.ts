import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import next from 'next'
import { startCleaning, stopCleaning } from '#lib/delegation/cleaning.ts'
import { closeSharedBuckets } from '#lib/identity/redis-buckets.ts'
import { flushRefusals } from '#lib/identity/refusals.ts'
import { assertMasterKeyOpens } from '#lib/keys/check-master-key.ts'
import { startKeyScheduler } from '#lib/keys/scheduler.ts'
import { config } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { logPage } from '#lib/platform/page-log.ts'
import { handle } from '#lib/protocol/handle.ts'
import { isProtocolTarget } from '#lib/protocol/lane.ts'

/** How long requests in flight may take to finish when the server closes, in milliseconds. */
const CLOSING_TIME = 10_000
/** How long a request's head may take to arrive, and the whole request, in milliseconds. */
const HEAD_TIME = 10_000
const REQUEST_TIME = 30_000

const CARRIED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

async function openNextDoor(): Promise<{ listener: Listener; close(): Promise<void> }> {
  const app = next({ dev: false, dir: import.meta.dirname })
  await app.prepare()
  const listener = app.getRequestHandler()
  return { listener: (request, response) => listener(request, response), close: () => app.close() }
}

/**
 * Serves the whole product in one process: the protocol on its own lane, everything else through Next. The database is
 * migrated, and Next's build is there, before it is called.
 *
 * @param options.port the port to listen on; 0 picks a free one
 * @param options.lane false sends the protocol through Next's door too
 * @returns the address it listens on; `close` stops accepting, lets requests in flight finish (10 s), and closes the
 *   database
 */
export async function startServer(
  options: { port?: number; lane?: boolean } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  await assertMasterKeyOpens()
  const nextDoor = await openNextDoor()
  const lane = getRequestListener(handle, { overrideGlobalObjects: false })
  const server = createServer((request, response) => {
    request.url = toOriginForm(request.url ?? '/')
    // The protocol goes ahead of Next, through the very function that the route files in `app` mount.
    const isProtocol = isProtocolTarget(request.url)
    if (isProtocol && options.lane !== false) return void lane(request, response)
    if (!isProtocol) logPage(request, response)
    const refusal = findRefusal(request)
    if (refusal) return void response.writeHead(refusal, { 'Cache-Control': 'no-store' }).end()
    void nextDoor.listener(request, response)
  })
  server.headersTimeout = HEAD_TIME
  server.requestTimeout = REQUEST_TIME
  startCleaning()
  const keyScheduler = startKeyScheduler()
  const port = await listen(server, options.port ?? config().port, config().host)
  return {
    url: `http://localhost:${port}`,
    async close() {
      await closeServer(server)
      await nextDoor.close()
      stopCleaning()
      await keyScheduler.stop()
      await flushRefusals()
      await closeSharedBuckets()
      await closeDatabase()
    },
  }
}

/** RFC 9112 §3.2.2: a target in absolute form is accepted too. Which host it names decides nothing. */
function toOriginForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** The status for a request that Next would answer with 500: a method or a path that it can't carry. */
function findRefusal({ method = '', url = '' }: IncomingMessage): 404 | 405 | undefined {
  if (!CARRIED_METHODS.has(method)) return 405
  if (!url.startsWith('/')) return 404
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return undefined
  } catch {
    return 404
  }
}

function listen(server: ReturnType<typeof createServer>, port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await Promise.race([closed, sleep(CLOSING_TIME, undefined, { ref: false })])
  server.closeAllConnections()
}
