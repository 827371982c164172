import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port of this machine. @returns where, `http://localhost:PORT`; `close` hangs up */
export async function serveOnLoopback(
  listener: RequestListener,
): Promise<{ origin: string; port: number; close(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Somebody else's server that a test plays. */
export type PlayedServer<Call, Answer> = {
  /** Every call since the start, or since `calls` was emptied. */
  calls: Call[]
  /** From here on, calls are answered by this. */
  answerWith(answer: (call: Call) => Answer | Promise<Answer>): void
  close(): Promise<void>
}

/**
 * Plays somebody else's server on loopback: it keeps every call, and answers what the test decides.
 *
 * @param played.read what a test sees of a request and its body
 * @param played.answer what it answers at first
 * @param played.send sends an answer
 */
export async function playServer<Call, Answer>(played: {
  read(request: IncomingMessage, body: Buffer): Call
  answer(call: Call): Answer | Promise<Answer>
  send(answer: Answer, response: ServerResponse): void
}): Promise<PlayedServer<Call, Answer> & { origin: string }> {
  const calls: Call[] = []
  let { answer } = played
  const { origin, close } = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = played.read(request, Buffer.concat(chunks))
    calls.push(call)
    played.send(await answer(call), response)
  })
  return {
    origin,
    calls,
    answerWith: (given) => {
      answer = given
    },
    close,
  }
}
