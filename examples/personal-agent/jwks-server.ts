import { createServer, type RequestListener, type Server } from 'node:http'
import { z } from 'zod'
import type { Identity } from './key-store.ts'
import { Problem } from './problem.ts'

const JWKS_PATH = '/.well-known/jwks.json'
const DISCOVERY_PATH = '/.well-known/openid-configuration'

/** Both loopback addresses: whichever one a Provider looks `localhost` up as. */
const HOSTS = ['127.0.0.1', '::1']

const jwksSchema = z.object({ keys: z.array(z.object({ kid: z.string().optional() })) })

/** Stops what was started; resolves when the ports are free. */
export type Stop = () => Promise<void>

/**
 * Publishes the public key at the issuer's address: the JWKS (§3.1), and OIDC discovery for Providers with an open policy.
 * Where another program on this machine publishes the same key already, that one does.
 *
 * @param issuer such as `http://localhost:3100`; its port is listened on
 * @throws Problem when something else uses the port
 */
export async function publishKeys(issuer: string, identity: Identity): Promise<Stop> {
  const port = Number(new URL(issuer).port || 80)
  const documents = new Map<string, unknown>([
    [JWKS_PATH, { keys: [identity.publicJwk] }],
    [DISCOVERY_PATH, { issuer, jwks_uri: issuer + JWKS_PATH }],
  ])
  const started = await Promise.allSettled(HOSTS.map((host) => listen(serveDocuments(documents), port, host)))
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    await Promise.all(servers.map(close))
  }
  const taken = started.some((result) => result.status === 'rejected' && hasCode(result.reason, 'EADDRINUSE'))
  if (taken || servers.length === 0) {
    await stop()
    if (!taken)
      throw new Problem(
        `Port ${port} can't be listened on.`,
        'Set PA_ISSUER to an address with another port.',
      )
    await requireSameKey(issuer, identity.publicJwk.kid)
  }
  return stop
}

function serveDocuments(documents: Map<string, unknown>): RequestListener {
  return (request, response) => {
    const document = documents.get(request.url ?? '')
    if (!document || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' })
    response.end(JSON.stringify(document))
  }
}

function listen(listener: RequestListener, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener)
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function requireSameKey(issuer: string, kid: string): Promise<void> {
  try {
    const answer = await fetch(issuer + JWKS_PATH, { redirect: 'error', signal: AbortSignal.timeout(2_000) })
    if (jwksSchema.parse(await answer.json()).keys.some((key) => key.kid === kid)) return
  } catch {
    // Whatever answers there, it is not this personal agent.
  }
  throw new Problem(
    `Another program uses ${issuer}, where this personal agent publishes its key.`,
    'Stop that program, or set PA_ISSUER to a free address and register it with the Provider.',
  )
}
