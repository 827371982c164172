import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'

const requestSchema = z.object({
  message: z.object({
    messageId: z.string(),
    contextId: z.string().optional(),
    role: z.literal('ROLE_USER'),
    parts: z.array(z.object({ text: z.string() })),
  }),
})

/** A message as the Provider received it. */
export type Received = z.infer<typeof requestSchema>['message'] & {
  claims: JWTPayload
  headers: IncomingMessage['headers']
}

/** What the Provider answers: a reply's text, or a status with a body. */
export type Answer = string | { status: number; headers?: Record<string, string>; body?: unknown }

export type LoopbackProvider = {
  url: string
  received: Received[]
  close(): Promise<void>
}

/**
 * A Provider for tests, with two Brands, on a free port of this machine. It verifies each token with the issuer's JWKS, as
 * a real one does.
 *
 * @param respond what to answer to the messages received so far, of which the last is to be answered
 */
export async function startLoopbackProvider(
  issuer: string,
  respond: (received: Received[]) => Answer,
): Promise<LoopbackProvider> {
  const received: Received[] = []
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, { failed: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const document = documents(url)[request.url ?? '']
    if (document) return send(response, 200, document)
    if (request.url === '/redirect') return send(response, 302, undefined, { Location: cardUrl(url, 'loom') })
    if (request.url !== '/a2a/loom/message:send') return send(response, 404)
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const verified = await jwtVerify(token, keys, { issuer, algorithms: ['ES256'] })
    const { message } = requestSchema.parse(JSON.parse(await readBody(request)))
    received.push({ ...message, claims: verified.payload, headers: request.headers })
    const reply = respond(received)
    if (typeof reply === 'string') return send(response, 200, toReply(reply, message.contextId ?? 'c-1'))
    send(response, reply.status, reply.body, reply.headers)
  }

  return {
    url,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An A2A error as §6 has it. */
export function a2aError(status: number, reason: string, message: string): Answer {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
  ]
  return { status, body: { error: { code: status, status: 'INVALID_ARGUMENT', message, details } } }
}

function documents(url: string): Record<string, unknown> {
  const brands = [
    { id: '01LOOM', name: 'Loom & Thread', description: 'Clothes.', cardUrl: cardUrl(url, 'loom') },
    { id: '01DENT', name: 'Willow Lane Dental', description: 'Teeth.', cardUrl: cardUrl(url, 'dental') },
  ]
  return {
    '/api/directory': { brands },
    '/a2a/loom/.well-known/agent-card.json': buildCard('Loom & Thread', `${url}/a2a/loom/`),
    '/a2a/dental/.well-known/agent-card.json': buildCard('Willow Lane Dental', `${url}/a2a/dental`),
  }
}

function cardUrl(url: string, brand: string): string {
  return `${url}/a2a/${brand}/.well-known/agent-card.json`
}

/** The interface to pick is neither the first nor the only one of its binding. */
function buildCard(name: string, interfaceUrl: string): unknown {
  return {
    name,
    description: 'Support.',
    supportedInterfaces: [
      { url: `${interfaceUrl}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${interfaceUrl}/old`, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
      { url: interfaceUrl, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    securitySchemes: { jwt: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
    securityRequirements: [{ schemes: { jwt: { list: [] } } }],
  }
}

function toReply(text: string, contextId: string): unknown {
  return { message: { messageId: 'r-1', contextId, role: 'ROLE_AGENT', parts: [{ text }] } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

function send(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/a2a+json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
