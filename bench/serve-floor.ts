import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compactVerify, importJWK } from 'jose'
import pg from 'pg'
import { beginStatement, continueStatement } from '#lib/conversations/claim-turn.ts'
import { settleStatement } from '#lib/conversations/settle-turn.ts'
import { config } from '#lib/platform/config.ts'
import { answerParent } from './answer-parent.ts'

// The floor: what no implementation of `message:send` on these parts can leave out. Bare node:http, one ES256
// verification, the product's own SQL statements on a pool of the same size. No rules, no limits, no log, no agent.

const { BENCH_JWK = '{}', BENCH_BRAND = '', BENCH_AGENT = '' } = process.env
const key = await importJWK(JSON.parse(BENCH_JWK), 'ES256')
const pool = new pg.Pool({ connectionString: config().databaseUrl, max: config().databasePool })
const TURN_TIME = 25_000
const IDLE_TIME = 86_400_000
const REPLY = 'Sure, what is the order number? It is in the mail that confirmed your order.'

type Message = { messageId: string; contextId?: string; parts: { text: string }[] }
type Turn = { contextId: string; row: string | undefined }

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function readSubject(authorization = ''): Promise<string> {
  const { payload } = await compactVerify(authorization.slice('Bearer '.length), key)
  return JSON.parse(Buffer.from(payload).toString()).sub
}

async function claim(subject: string, message: Message, turnId: string): Promise<Turn> {
  const contextId = message.contextId ?? randomUUID()
  const text = message.parts.map((part) => part.text).join('\n')
  const shared = [contextId, BENCH_BRAND, BENCH_AGENT, subject, turnId, TURN_TIME, message.messageId, text]
  if (message.contextId === undefined) {
    const { rows } = await pool.query({ ...beginStatement, values: [...shared, null] })
    return { contextId, row: rows[0]?.id }
  }
  const { rows } = await pool.query({ ...continueStatement, values: [...shared, IDLE_TIME, true, null] })
  return { contextId, row: rows[0]?.messageRow }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const subject = await readSubject(request.headers.authorization)
  const message: Message = JSON.parse(await readBody(request)).message
  const turnId = randomUUID()
  const { contextId, row } = await claim(subject, message, turnId)
  const values = [contextId, BENCH_BRAND, turnId, '{}', false, row, REPLY]
  await pool.query({ ...settleStatement, values })
  const reply = { messageId: turnId, contextId, role: 'ROLE_AGENT', parts: [{ text: REPLY }] }
  const body = JSON.stringify({ message: reply })
  const head = { 'Content-Type': 'application/a2a+json', 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(200, head).end(body)
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
