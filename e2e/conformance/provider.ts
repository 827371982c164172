import { randomUUID } from 'node:crypto'
import type { PersonalAgent, Target } from './environment.ts'
import { newSubject, type TokenSigner, tokenSigner } from './tokens.ts'
import { type Answer, at, exchange, isRecord, send } from './wire.ts'

/** A message to send; members that §4.1 does not allow can be put in with `extra`. */
export type Outgoing = {
  /** The interface URL to send to. Default: the first Brand's. */
  to?: string
  token?: string
  /** Sent as `X-A2A-User-Delegation: Bearer …` (§5.5). */
  delegationToken?: string
  text?: string
  messageId?: string
  contextId?: string | undefined
  /** Members of the A2A Message that replace the usual ones. */
  extra?: Record<string, unknown>
}

/** The standard place of a Brand's card (§2.1). */
export function cardUrl(providerUrl: string, brandId: string): string {
  return `${providerUrl}/a2a/${brandId}/.well-known/agent-card.json`
}

/** §2.1: the interface is picked by binding and version, not by position. */
export function findInterface(card: unknown): Record<string, unknown> | undefined {
  const interfaces = at(card, 'supportedInterfaces')
  if (!Array.isArray(interfaces)) return undefined
  return interfaces
    .filter(isRecord)
    .find((entry) => entry.protocolBinding === 'HTTP+JSON' && entry.protocolVersion === '1.0')
}

/** How many seconds the Provider's clock is ahead of ours, by its `Date` header; 0 when it has none. */
function clockOffset(answer: Answer): number {
  const date = Date.parse(answer.headers.get('Date') ?? '')
  return Number.isNaN(date) ? 0 : Math.round((date - Date.now()) / 1000)
}

/** A Brand's card as it was served, and where it says that the Brand is. */
type BrandInterface = { answer: Answer; interfaceUrl: string }

async function interfaceOf(target: Target, brandId: string): Promise<BrandInterface> {
  const url = cardUrl(target.providerUrl, brandId)
  const answer = await send({ url })
  const interfaceUrl = findInterface(answer.json)?.url
  if (typeof interfaceUrl === 'string') return { answer, interfaceUrl }
  throw new Error(`§2.1: no card with an HTTP+JSON 1.0 interface at ${url} (status ${answer.status})`)
}

/** The Provider under test, as a personal agent sees it. */
export class Provider {
  readonly target: Target
  readonly card: unknown
  readonly #otherCard: unknown
  /** The interface URLs of the two Brands, as their cards give them. */
  readonly interfaceUrl: string
  readonly otherInterfaceUrl: string
  /** Signs for the personal agent under test. */
  readonly signer: TokenSigner
  readonly #offset: number

  private constructor(target: Target, first: BrandInterface, other: BrandInterface) {
    this.target = target
    this.card = first.answer.json
    this.#otherCard = other.answer.json
    this.interfaceUrl = first.interfaceUrl
    this.otherInterfaceUrl = other.interfaceUrl
    this.#offset = clockOffset(first.answer)
    this.signer = this.signerFor(target.personalAgent)
  }

  /** Reads both Brands' cards. @throws Error when one has no interface to talk to */
  static async find(target: Target): Promise<Provider> {
    const first = await interfaceOf(target, target.brandId)
    return new Provider(target, first, await interfaceOf(target, target.otherBrandId))
  }

  /** The Provider's time, in whole seconds since 1970, right to about one second. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.#offset
  }

  signerFor(agent: PersonalAgent): TokenSigner {
    return tokenSigner(agent, this.target.audience, () => this.now())
  }

  /** A valid token of the personal agent under test. */
  async token(subject = 'user-of-the-conformance-suite'): Promise<string> {
    return this.signer.sign({ claims: { sub: subject } })
  }

  /** `POST message:send` (§4). Without a token, a valid one is signed. */
  async message(outgoing: Outgoing = {}): Promise<Answer> {
    return send(await this.#messageCall(outgoing))
  }

  /** `POST message:stream`, like {@link message}. */
  async stream(outgoing: Outgoing = {}): Promise<Answer> {
    return send(await this.#messageCall(outgoing, 'message:stream'))
  }

  /** Two at the same time. A 429 is not waited out: the later one would no longer be simultaneous. */
  async messageTwice(outgoing: Outgoing): Promise<[Answer, Answer]> {
    const call = await this.#messageCall(outgoing)
    return Promise.all([exchange(call), exchange(call)])
  }

  /** `message:send` with any body: a string as it is, anything else as JSON. */
  async post(body: unknown): Promise<Answer> {
    return send({
      method: 'POST',
      url: `${this.interfaceUrl}/message:send`,
      token: await this.token(),
      body,
    })
  }

  /** Any operation of the first Brand, with a valid token unless another (or `null` for none) is given. */
  async operation(method: string, path: string, token?: string | null, body?: unknown): Promise<Answer> {
    return this.operationAt(this.interfaceUrl, method, path, token, body)
  }

  /** As {@link operation}, of the Brand at an interface URL. */
  async operationAt(
    to: string,
    method: string,
    path: string,
    token?: string | null,
    body?: unknown,
  ): Promise<Answer> {
    const given = token === undefined ? await this.token() : (token ?? undefined)
    return send({ method, url: `${to}/${path}`, token: given, body })
  }

  /** Starts a conversation of a new User. @throws Error when the Provider does not answer with a contextId */
  async converse(): Promise<{ subject: string; token: string; contextId: string; answer: Answer }> {
    const subject = newSubject()
    const token = await this.token(subject)
    const answer = await this.message({ token })
    return { subject, token, contextId: contextIdOf(answer), answer }
  }

  /** Where the interface of a Brand would be that the Provider does not have. */
  unknownBrandUrl(): string {
    const { brandId, providerUrl } = this.target
    const unknown = `no-such-brand-${randomUUID()}`
    const start = this.interfaceUrl.lastIndexOf(`/${brandId}`)
    if (start < 0) return `${providerUrl}/a2a/${unknown}`
    return `${this.interfaceUrl.slice(0, start)}/${unknown}${this.interfaceUrl.slice(start + 1 + brandId.length)}`
  }

  /** True when the card says that the Provider has the capability, so that its absence can't be tested. */
  has(capability: 'pushNotifications' | 'extendedAgentCard'): boolean {
    return at(this.card, 'capabilities', capability) === true
  }

  /** The interface URL of a Brand whose card offers streaming, or of one whose card does not; undefined: neither is like that. */
  findStreaming(offered: boolean): string | undefined {
    const cards: [unknown, string][] = [
      [this.card, this.interfaceUrl],
      [this.#otherCard, this.otherInterfaceUrl],
    ]
    return cards.find(([card]) => (at(card, 'capabilities', 'streaming') === true) === offered)?.[1]
  }

  async #messageCall(outgoing: Outgoing, operation = 'message:send') {
    return {
      method: 'POST',
      url: `${outgoing.to ?? this.interfaceUrl}/${operation}`,
      token: outgoing.token ?? (await this.token()),
      ...(outgoing.delegationToken === undefined
        ? {}
        : { headers: { 'X-A2A-User-Delegation': `Bearer ${outgoing.delegationToken}` } }),
      body: {
        message: {
          messageId: outgoing.messageId ?? randomUUID(),
          ...(outgoing.contextId === undefined ? {} : { contextId: outgoing.contextId }),
          role: 'ROLE_USER',
          parts: [{ text: outgoing.text ?? this.target.messageText }],
          ...outgoing.extra,
        },
      },
    }
  }
}

/** The `contextId` of a reply. @throws Error when the answer has none */
export function contextIdOf(answer: Answer): string {
  const contextId = at(answer.json, 'message', 'contextId') ?? at(answer.json, 'task', 'contextId')
  if (typeof contextId === 'string' && contextId !== '') return contextId
  throw new Error(`no contextId in the answer to message:send (status ${answer.status}): ${answer.text}`)
}
