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
  /**
   * What it says to somebody who tries it: the User is made up, so nothing that is done for it may be real. Left out: such
   * calls are refused.
   */
  rehearse?(turn: Turn): Answer | Promise<Answer>
}

/** A Brand's own bot, behind one address: it answers calls that the Brand's Provider signed, and each of them once. */
export function buildBot({ url, keys, answer, rehearse }: BotOptions): Hono {
  const app = new Hono()
  // A call that is made again, because its answer was lost, gets the first answer.
  const answers = new LRUCache<string, Promise<Answer>>({ max: 10_000, ttl: 10 * 60_000 })

  /** Who answers the call that is signed so, and what it is called; undefined: it is none of ours. */
  async function recognise(signature: string, body: Uint8Array) {
    const id = await verifyCall(signature, body, url, keys).catch(() => undefined)
    if (id !== undefined) return { id, reply: answer }
    if (!rehearse) return undefined
    const tried = await verifyCall(signature, body, url, keys, 'pact-rehearsal+jws').catch(() => undefined)
    return tried === undefined ? undefined : { id: `rehearsal ${tried}`, reply: rehearse }
  }

  async function readCall(context: Context) {
    if (Number(context.req.header('Content-Length') ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES)
      return undefined
    const body = new Uint8Array(await context.req.arrayBuffer())
    const signature = context.req.header('PACT-Signature') ?? ''
    const call = await recognise(signature, body)
    return call && { ...call, body: new TextDecoder().decode(body) }
  }

  app.post(new URL(url).pathname, async (context) => {
    const call = await readCall(context)
    if (!call) return context.json({ error: 'This is not a call of our Provider.' }, 401)
    const { id, body, reply } = call
    const answered = answers.get(id) ?? Promise.resolve(reply(turnSchema.parse(JSON.parse(body))))
    answers.set(id, answered)
    return context.json(await answered)
  })
  return app
}
