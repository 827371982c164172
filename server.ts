import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import compression from 'compression'
import next from 'next'
import { startSummingDays } from '#lib/access/past-days.ts'
import { startPurging } from '#lib/conversations/retention.ts'
import { allowTurns, settledTurns, stopRunningTurns } from '#lib/conversations/running-turns.ts'
import { flushTraffic } from '#lib/conversations/traffic.ts'
import { startCleaning } from '#lib/delegation/cleaning.ts'
import { flushLoginKeys } from '#lib/delegation/login-keys.ts'
import { closeSharedBuckets } from '#lib/identity/redis-buckets.ts'
import { flushRefusals } from '#lib/identity/refusals.ts'
import { assertMasterKeyOpens } from '#lib/keys/check-master-key.ts'
import { startKeyScheduler } from '#lib/keys/scheduler.ts'
import { CLIENT_ADDRESS_HEADER } from '#lib/platform/client-address.ts'
import { config } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { logPage } from '#lib/platform/page-log.ts'
import { handle } from '#lib/protocol/handle.ts'
import { isProtocolTarget } from '#lib/protocol/lane.ts'

/** How long requests in flight may take to finish when the server closes, in milliseconds: a turn's usual limit, and more. */
const CLOSING_TIME = 25_000
/** How long the answers of turns that were stopped then may take to leave, in milliseconds. */
const ANSWERING_TIME = 1_000
/** How long a request's head may take to arrive, and the whole request, in milliseconds. */
const HEAD_TIME = 10_000
const REQUEST_TIME = 30_000

const CARRIED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Pages are read; what a User sees of consent takes forms, and so does the console. */
const PAGE_METHODS = new Set(['GET', 'HEAD'])
const FORM_METHODS = new Set(['GET', 'HEAD', 'POST'])
const FORMS = /^\/(consent\/|a2a\/[^/]+\/oauth\/consent(\/|$)|admin(\/|$)|verify\/?$|api\/auth\/)/
const API_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const API = /^\/api\/v1(\/|$)/
/** Where Next's router in a browser is at work, or its actions are. */
const CONSOLE = /^\/(admin(\/|$)|verify\/?$)/
/** The longest state of Next's router that Next reads. */
const ROUTER_STATE_LENGTH = 40_000

/** Next's own places, which no page links to and which fail when called from outside. */
const INNER_PAGES = new Set(['/_global-error', '/_error', '/_next/image'])

/** What Next's router in a browser sends: only the console has it, and Next answers 500 to values that are none. */
const ROUTER_HEADERS = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
  'next-action',
]

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** @param port where this process listens: Next asks itself for the page that a form leads to, with the caller's cookies */
async function openNextDoor(port: number): Promise<{ listener: Listener; close(): Promise<void> }> {
  const { host } = config()
  const app = next({ dev: false, dir: import.meta.dirname, port, ...(host ? { hostname: host } : {}) })
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
 * @returns the address it listens on; `close` stops accepting, lets requests in flight finish (25 s), stops turns
 *   that take longer and stores what they have done, and closes the database
 */
export async function startServer(
  options: { port?: number; lane?: boolean } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  await assertMasterKeyOpens()
  allowTurns()
  const wanted = options.port ?? config().port
  const nextDoor = await openNextDoor(wanted)
  // It puts a Request and a Response of its own in the place of the global ones, for the whole process. They read and write
  // Node's own without a stream between: a message costs a tenth less. They share Headers that they are made of, and check late.
  const lane = getRequestListener(handle)
  // Pages and their scripts only: what the protocol answers is as small as it gets.
  const compress = compression()
  const server = createServer((request, response) => {
    request.url = toOriginForm(request.url ?? '/')
    // The protocol goes ahead of Next, through the very function that the route files in `app` mount.
    if (isProtocolTarget(request.url)) {
      const byNext = options.lane === false && isCarriedByNext(request)
      return void (byNext ? nextDoor.listener : lane)(request, response)
    }
    logPage(request, response)
    const refusal = findPageRefusal(request)
    if (refusal) return void response.writeHead(refusal, { 'Cache-Control': 'no-store' }).end()
    if (!CONSOLE.test(pathOf(request))) for (const name of ROUTER_HEADERS) delete request.headers[name]
    else if (!hasRouterState(request)) return void response.writeHead(400).end()
    request.headers[CLIENT_ADDRESS_HEADER] = addressOf(request)
    compress(request as never, response as never, () => void nextDoor.listener(request, response))
  })
  server.headersTimeout = HEAD_TIME
  server.requestTimeout = REQUEST_TIME
  const port = await listen(server, wanted, config().host).catch(async (error) => {
    await nextDoor.close()
    await closeSharedBuckets()
    await closeDatabase()
    throw error
  })
  const stops = [startCleaning(), startSummingDays(), startPurging()]
  const keyScheduler = startKeyScheduler()
  return {
    url: `http://localhost:${port}`,
    async close() {
      await closeServer(server)
      await nextDoor.close()
      for (const stop of stops) stop()
      await keyScheduler.stop()
      await flushRefusals()
      await flushTraffic()
      await flushLoginKeys()
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

function addressOf({ headers, socket }: IncomingMessage): string {
  const forwarded = config().trustProxy ? String(headers['x-forwarded-for'] ?? '') : ''
  // The last one is what the proxy itself has seen.
  return forwarded.split(',').at(-1)?.trim() || (socket.remoteAddress ?? '')
}

/** A segment (its name, or what a parameter became), and those below it by their slot. */
function isRouterState(state: unknown): boolean {
  if (!Array.isArray(state)) return false
  const [segment, slots] = state
  if (typeof segment !== 'string' && !Array.isArray(segment)) return false
  if (typeof slots !== 'object' || slots === null || Array.isArray(slots)) return false
  return Object.values(slots).every(isRouterState)
}

/** False for headers of Next's router that its router can't have sent. */
function hasRouterState({ headers }: IncomingMessage): boolean {
  const action = headers['next-action']
  if (action !== undefined && !/^[0-9a-f]{40,44}$/.test(String(action))) return false
  const state = headers['next-router-state-tree']
  if (state === undefined) return true
  if (state.length > ROUTER_STATE_LENGTH) return false
  try {
    return isRouterState(JSON.parse(decodeURIComponent(String(state))))
  } catch {
    return false
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** False for a method or a path that Next answers by itself, with 500 or a redirect. */
function isCarriedByNext(request: IncomingMessage): boolean {
  const path = pathOf(request)
  return CARRIED_METHODS.has(request.method ?? '') && isDecodable(path) && !/\/\/|\\/.test(path)
}

/** The status for a request that no page answers; undefined when Next shall. */
function findPageRefusal(request: IncomingMessage): 404 | 405 | undefined {
  const path = pathOf(request)
  if (!path.startsWith('/') || !isDecodable(path) || INNER_PAGES.has(path)) return 404
  const methods = API.test(path) ? API_METHODS : FORMS.test(path) ? FORM_METHODS : PAGE_METHODS
  return methods.has(request.method ?? '') ? undefined : 405
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
  const within = (time: number, ended: Promise<unknown>) =>
    Promise.race([ended, sleep(time, undefined, { ref: false })])
  await within(CLOSING_TIME, Promise.all([closed, settledTurns()]))
  await stopRunningTurns()
  await within(ANSWERING_TIME, closed)
  server.closeAllConnections()
}
