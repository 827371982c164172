import { z } from 'zod'
import { type IdentityKind, MIXED_TURNS } from './contract.ts'
import type { HttpConnection, RawResponse } from './http-connection.ts'
import { type Speaker, WrongAnswerError } from './speaker.ts'
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
/** What Users say whose account the agent looks into (§5.5). */
const delegatedText = 'What about my orders?'
/** How many conversations of kind `continued` each connection keeps, so that their rows are spread as in earnest. */
const OPEN_CONVERSATIONS = 10

const answerSchema = z.object({
  message: z.object({ contextId: z.string(), role: z.literal('ROLE_AGENT'), messageId: z.string() }),
})

/** What a {@link Talker} says. */
export type MessageKind = IdentityKind | 'delegated'

type Conversation = { token: number; contextId: string; turns: number }

let sent = 0

function buildBody(contextId: string | undefined, delegated: boolean): string {
  sent += 1
  const message = {
    messageId: `m-${sent}`,
    ...(contextId === undefined ? {} : { contextId }),
    role: 'ROLE_USER',
    parts: [{ text: delegated ? delegatedText : texts[sent % texts.length] }],
  }
  return JSON.stringify({ message })
}

type Expected = { contextId: string | undefined; receipt: boolean }

function readContextId(answer: RawResponse, expected: Expected): string {
  const { status, body } = answer
  const parsed = status === 200 ? answerSchema.safeParse(JSON.parse(body)) : undefined
  const contextId = parsed?.data?.message.contextId
  const isRight = expected.contextId === undefined || contextId === expected.contextId
  const isComplete = !expected.receipt || body.includes('"pact.receipt"')
  if (contextId !== undefined && isRight && isComplete) return contextId
  throw new WrongAnswerError(answer)
}

/** Says messages: each connection has its own conversations, and never two messages of one in flight. */
export class Talker implements Speaker {
  #connection: HttpConnection | undefined
  readonly #tokens: TokenPool
  readonly #kind: MessageKind
  readonly #goesOn: boolean
  #open: Conversation[] = []
  #next = 0

  constructor(tokens: TokenPool, kind: MessageKind) {
    this.#tokens = tokens
    this.#kind = kind
    this.#goesOn = kind === 'continued' || kind === 'delegated'
  }

  /** Goes on over another connection, and begins the conversations that are gone on with, where there are none. */
  async use(connection: HttpConnection): Promise<void> {
    this.#connection = connection
    if (!this.#goesOn) return
    while (this.#open.length < OPEN_CONVERSATIONS) this.#open.push(await this.#begin())
  }

  async say(): Promise<void> {
    if (this.#kind === 'new') await this.#begin()
    else if (this.#goesOn) await this.#goOn(this.#pick())
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
    const delegated = this.#kind === 'delegated'
    const answer = await this.#connection.post({
      token: this.#tokens.token(token),
      delegation: delegated ? this.#tokens.delegation(token) : undefined,
      body: buildBody(contextId, delegated),
    })
    return readContextId(answer, { contextId, receipt: delegated })
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
