import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type PlayedServer, playServer } from './played-server.ts'

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

export type TestBot = PlayedServer<BotCall, BotReply> & { url: string }

function send(reply: BotReply, response: ServerResponse): void {
  if (typeof reply === 'function') reply(response)
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply))
}

/** A Brand's bot, on loopback: it keeps every call, and answers what the test decides (at first with what it was told). */
export async function startBot(): Promise<TestBot> {
  const { origin, ...bot } = await playServer<BotCall, BotReply>({
    read: ({ headers }, body) => ({ headers, body, json: JSON.parse(body.toString()) }),
    answer: ({ json }) => ({ reply: `Bot: ${json.text}` }),
    send,
  })
  return { ...bot, url: `${origin}/turn` }
}
