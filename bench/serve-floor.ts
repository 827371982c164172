import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './answer-parent.ts'
import { authorize, issue } from './floor-oauth.ts'
import { pool, verifyAgentToken } from './floor-parts.ts'
import { takeDelegatedTurn, takePlainTurn } from './floor-turn.ts'

// The floor: what no request can leave out that has its statements to itself. Bare node:http, ES256 verifications, and the
// least SQL on a pool of the product's size. No rules, no limits, no log, no agent. The product can be above it: requests of
// the same moment share statements there.

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function answer({ url = '', headers }: IncomingMessage, subject: string, body: string) {
  if (url.endsWith('/device_authorization')) return authorize(subject)
  if (url.endsWith('/token')) return issue(subject, new URLSearchParams(body))
  const delegation = headers['x-a2a-user-delegation']
  const { message } = JSON.parse(body)
  const isDelegated = typeof delegation === 'string'
  const reply = isDelegated
    ? takeDelegatedTurn(subject, message, delegation)
    : takePlainTurn(subject, message)
  return { status: 200, body: await reply }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const subject = await verifyAgentToken(request.headers.authorization)
  const { status, body } = await answer(request, subject, await readBody(request))
  const text = JSON.stringify(body)
  const head = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  response.writeHead(status, head).end(text)
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: Error) => {
    response.writeHead(500).end(error.message)
  })
})
server.listen(0, () => {
  answerParent((server.address() as AddressInfo).port, async () => {
    server.closeAllConnections()
    await pool.end()
  })
})
