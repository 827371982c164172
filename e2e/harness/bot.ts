import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a bot was posted. */
export type BotCall = {
  headers: IncomingHttpHeaders
  /** As it came. */
  body: Buffer
  /** What it says. */
  json: {
    brand: string
    caller: { issuer: string; name: string; subject: string }
    contextId: string
    messageId: string
    text: string
    state: Record<string, unknown>
    history?: { text: string; reply: string }[]
    access: { brandUserId: string; scopes: string[]; token: string } | null
  }
}

/** JSON to answer with, or what answers by itself, well or badly. */
export type BotReply = Record<string, unknown> | ((response: ServerResponse) => unknown)

export type TestBot = {
  url: string
  /** Every call since the start, or since `calls` was emptied. */
  calls: BotCall[]
  /** From here on, calls are answered by this. */
  answerWith(answer: (call: BotCall) => BotReply | Promise<BotReply>): void
  close(): Promise<void>
}

/** A Brand's bot, on loopback: it keeps every call, and answers what the test decides (at first with what it was told). */
export async function startBot(): Promise<TestBot> {
  const calls: BotCall[] = []
  let answer: (call: BotCall) => BotReply | Promise<BotReply> = ({ json }) => ({ reply: `Bot: ${json.text}` })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const call = { headers: request.headers, body, json: JSON.parse(body.toString()) }
    calls.push(call)
    const reply = await answer(call)
    if (typeof reply === 'function') reply(response)
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/turn`,
    calls,
    answerWith: (given) => {
      answer = given
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
