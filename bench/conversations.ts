import { z } from 'zod'
import { type Kind, MIXED_TURNS } from './contract.ts'
import type { HttpConnection } from './http-connection.ts'
import type { TokenPool } from './token-pool.ts'

/** What Users say. Each hits another rule of the agent; none ends the conversation. */
const texts = [
  'Hello, I need help with my order.',
  'Where is my order A-88213? It should have arrived on Monday.',
  'I want to send a coat back, please.',
  'Which size should I take between two?',
  'Thanks, that helps a lot.',
  'When do you open tomorrow?',
  'The parcel came, but the shirt is blue and I wanted it in green.',
]
/** How many conversations of kind `continued` each connection keeps, so that their rows are spread as in earnest. */
const OPEN_CONVERSATIONS = 10

const answerSchema = z.object({
  message: z.object({ contextId: z.string(), role: z.literal('ROLE_AGENT'), messageId: z.string() }),
})

type Conversation = { token: number; contextId: string; turns: number }

let sent = 0

/** How many messages this process has sent. */
export function countSent(): number {
  return sent
}

function buildBody(contextId: string | undefined): string {
  sent += 1
  const message = {
    messageId: `m-${sent}`,
    ...(contextId === undefined ? {} : { contextId }),
    role: 'ROLE_USER',
    parts: [{ text: texts[sent % texts.length] }],
  }
  return JSON.stringify({ message })
}

/** The answer is not the one that every request of the bench must get. */
export class WrongAnswerError extends Error {
  override name = 'WrongAnswerError'
}

function readContextId({ status, body }: { status: number; body: string }, expected?: string): string {
  const parsed = status === 200 ? answerSchema.safeParse(JSON.parse(body)) : undefined
  const contextId = parsed?.data?.message.contextId
  if (contextId !== undefined && (expected === undefined || contextId === expected)) return contextId
  throw new WrongAnswerError(`A message was answered with ${status} ${body.slice(0, 500)}`)
}

/** What is said on one connection: it has its own conversations, and never two messages of one in flight. */
export class Talker {
  #connection: HttpConnection | undefined
  readonly #tokens: TokenPool
  readonly #kind: Kind
  #open: Conversation[] = []
  #next = 0

  constructor(tokens: TokenPool, kind: Kind) {
    this.#tokens = tokens
    this.#kind = kind
  }

  /** Goes on over another connection, and begins the conversations that `continued` goes on with, where there are none. */
  async use(connection: HttpConnection): Promise<void> {
    this.#connection = connection
    if (this.#kind !== 'continued') return
    while (this.#open.length < OPEN_CONVERSATIONS) this.#open.push(await this.#begin())
  }

  /** Sends one message and checks the answer. @throws WrongAnswerError */
  async say(): Promise<void> {
    if (this.#kind === 'new') await this.#begin()
    else if (this.#kind === 'continued') await this.#goOn(this.#pick())
    else await this.#sayMixed()
  }

  #pick(): Conversation | undefined {
    this.#next = (this.#next + 1) % this.#open.length
    return this.#open[this.#next]
  }

  async #sayMixed(): Promise<void> {
    const [current] = this.#open
    if (current && current.turns < MIXED_TURNS) await this.#goOn(current)
    else this.#open = [await this.#begin()]
  }

  async #post(token: number, contextId?: string): Promise<string> {
    if (!this.#connection) throw new Error('A talker has no connection yet')
    const answer = await this.#connection.post(this.#tokens.token(token), buildBody(contextId))
    return readContextId(answer, contextId)
  }

  async #begin(): Promise<Conversation> {
    const token = this.#tokens.next()
    return { token, contextId: await this.#post(token), turns: 1 }
  }

  async #goOn(conversation: Conversation | undefined): Promise<void> {
    if (!conversation) return
    conversation.token = this.#tokens.sameUser(conversation.token)
    conversation.turns += 1
    await this.#post(conversation.token, conversation.contextId)
  }
}
