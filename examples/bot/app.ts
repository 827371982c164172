import { type Context, Hono } from 'hono'
import type { FlattenedVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { type Answer, type Turn, turnSchema } from './turn.ts'
import { verifyCall } from './verify-call.ts'

/** More than any call has: a message is 32 KiB at most, and the conversation so far 256 KiB, before JSON's escapes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

export type BotOptions = {
  /** Where the bot is, as the Brand's settings have it. */
  url: string
  /** The Brand's keys, such as jose's `createRemoteJWKSet` of its `jwks.json`. */
  keys: FlattenedVerifyGetKey
  /** What it says. */
  answer(turn: Turn): Answer | Promise<Answer>
}

/** A Brand's own bot, behind one address: it answers calls that the Brand's Provider signed, and each of them once. */
export function buildBot({ url, keys, answer }: BotOptions): Hono {
  const app = new Hono()
  // A call that is made again, because its answer was lost, gets the first answer.
  const answers = new LRUCache<string, Promise<Answer>>({ max: 10_000, ttl: 10 * 60_000 })

  async function readCall(context: Context): Promise<{ id: string; body: string } | undefined> {
    if (Number(context.req.header('Content-Length') ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES)
      return undefined
    const body = new Uint8Array(await context.req.arrayBuffer())
    const signature = context.req.header('PACT-Signature') ?? ''
    const id = await verifyCall(signature, body, url, keys).catch(() => undefined)
    return id === undefined ? undefined : { id, body: new TextDecoder().decode(body) }
  }

  app.post(new URL(url).pathname, async (context) => {
    const call = await readCall(context)
    if (!call) return context.json({ error: 'This is not a call of our Provider.' }, 401)
    const { id, body } = call
    const answered = answers.get(id) ?? Promise.resolve(answer(turnSchema.parse(JSON.parse(body))))
    answers.set(id, answered)
    return context.json(await answered)
  })
  return app
}
