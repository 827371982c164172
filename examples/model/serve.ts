import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answerer, type ChatAnswer, type ChatRequest, chatRequestSchema } from './chat.ts'
import { buildChunks, buildCompletion } from './completion.ts'

/** The longest request, in bytes. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024

export type ModelServer = {
  /** The base URL of the protocol, `http://localhost:PORT/v1`. */
  url: string
  close(): Promise<void>
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error' } })
}

/** Sends the first half, and ends the connection. */
function sendHalf(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy())
}

function sendAnswer(response: ServerResponse, request: ChatRequest, answer: ChatAnswer): void {
  const { status = 200, headers = {}, raw, cut } = answer
  if (raw !== undefined) {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(raw)
    return
  }
  if (cut) sendHalf(response, JSON.stringify(buildCompletion(request, answer)))
  else if (request.stream) sendChunks(response, buildChunks(request, answer))
  else sendJson(response, status, buildCompletion(request, answer))
}

function sendChunks(response: ServerResponse, chunks: readonly string[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const chunk of chunks) response.write(`data: ${chunk}\n\n`)
  response.end()
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  answerer: Answerer,
): Promise<void> {
  if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions')
    return refuse(response, 404, 'There is POST /v1/chat/completions, and nothing else.')
  const parsed = chatRequestSchema.safeParse(await readJson(incoming))
  if (!parsed.success) return refuse(response, 400, parsed.error.issues[0]?.message ?? 'not a chat request')
  const answer = await answerer(parsed.data, incoming.headers)
  if (answer.hang) return
  if (answer.delay) await pause(answer.delay)
  sendAnswer(response, parsed.data, answer)
}

/**
 * Serves a model on this machine alone, by the OpenAI-compatible protocol: chat completions with tools, streamed or not.
 *
 * @param port 0: any that is free
 */
export async function serveModel(answerer: Answerer, port = 0): Promise<ModelServer> {
  const server: Server = createServer((incoming, response) => {
    handle(incoming, response, answerer).catch((error: unknown) => refuse(response, 500, String(error)))
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
