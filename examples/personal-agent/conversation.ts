import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Asker, notAccepted, notUnderstood, refused, unreachable } from './problem.ts'

/** How long a reply may take, in milliseconds: an agent may think for two minutes. */
const TIME_LIMIT = 130_000

/** The longest wait that a 429 may ask for, in seconds. */
const MAX_WAIT = 60

/** §5.6, as far as its form goes; whether it is genuine is to be verified. */
const receiptSchema = z.object({ jws: z.string(), claims: z.record(z.string(), z.unknown()) })

const partsSchema = z.array(z.object({ text: z.string().optional() }))

const replySchema = z.union([
  z.object({
    message: z.object({
      contextId: z.string().min(1),
      role: z.literal('ROLE_AGENT'),
      parts: partsSchema,
      metadata: z.object({ 'pact.receipt': receiptSchema.optional() }).optional(),
    }),
  }),
  z.object({
    task: z.object({
      contextId: z.string().min(1),
      status: z.object({ state: z.string(), message: z.object({ parts: partsSchema }).optional() }),
      metadata: z
        .object({
          'pact.missingScopes': z.array(z.string()).optional(),
          'pact.verificationUriComplete': z.string().optional(),
          'pact.receipt': receiptSchema.optional(),
        })
        .optional(),
    }),
  }),
])

const errorSchema = z.object({
  error: z.object({ message: z.string(), details: z.array(z.object({ reason: z.string().optional() })) }),
})

/** With whom, and as whom, a conversation is held. */
export type Counterpart = {
  interfaceUrl: string
  asker: Asker
  /** A token for one request. */
  sign(): Promise<string>
  /** The delegation token to send beside it (§5.5); undefined while there is none. */
  delegationToken(): Promise<string | undefined>
  /** The Provider refused that token: the next one must be another, or none. */
  refuseDelegationToken(): Promise<void>
  /** Tells the person what happens meanwhile. */
  notify(text: string): void
}

export type SentReceipt = z.infer<typeof receiptSchema>

/** The Brand's answer to one message. */
export type Turn = {
  text: string
  /** Undefined: the turn ran without a delegation token. */
  receipt: SentReceipt | undefined
  /** §5.5: what the Brand's agent may not do yet; the message has to be sent again once it may. */
  stepUp: { missingScopes: string[]; link: string | undefined } | undefined
}

export type Conversation = {
  /**
   * Says `text` and returns the Brand's reply. A conversation that the Brand closed is followed by a new one.
   *
   * @throws Problem
   */
  send(text: string): Promise<Turn>
  /** The next message starts a new conversation. */
  restart(): void
}

/** A conversation with a Brand (§4): one `contextId` from the first reply on. */
export function startConversation(counterpart: Counterpart): Conversation {
  let contextId: string | undefined
  return {
    restart() {
      contextId = undefined
    },
    async send(text) {
      let answer = await sendMessage(counterpart, text, contextId)
      if (contextId !== undefined && answer.kind === 'refused' && answer.reason === 'UNSUPPORTED_OPERATION') {
        counterpart.notify('The Brand has closed the conversation. This message starts a new one.')
        contextId = undefined
        answer = await sendMessage(counterpart, text, undefined)
      }
      if (answer.kind === 'refused') throw refused(answer.status, answer.reason, answer.detail)
      contextId = answer.contextId
      return answer.turn
    },
  }
}

type Answer =
  | { kind: 'reply'; contextId: string; turn: Turn }
  | { kind: 'refused'; status: number; reason: string | undefined; detail: string | undefined }

/**
 * Sends one message; where the Provider asks to wait (429), waits once and sends the same message again (§6). So it does
 * once with a delegation token of less age, or without one, where the Provider refuses the first (§5.5).
 */
async function sendMessage(
  counterpart: Counterpart,
  text: string,
  contextId: string | undefined,
): Promise<Answer> {
  const message = { messageId: randomUUID(), contextId, role: 'ROLE_USER', parts: [{ text }] }
  let response = await postPatiently(counterpart, message)
  if (isDelegationRefused(response)) {
    await counterpart.refuseDelegationToken()
    response = await postPatiently(counterpart, message)
  }
  if (response.status === 401) throw notAccepted(counterpart.asker)
  return response.ok ? readReply(counterpart, response) : readError(response)
}

async function postPatiently(counterpart: Counterpart, message: unknown): Promise<Response> {
  const response = await post(counterpart, message)
  const wait = response.status === 429 ? readRetryAfter(response) : undefined
  if (wait === undefined || wait > MAX_WAIT) return response
  await response.body?.cancel()
  counterpart.notify(`The Provider asks to wait ${wait} s (429). Sending again then.`)
  await pause(wait * 1000)
  return post(counterpart, message)
}

/** §5.5: unlike the 401 for the personal agent's own token, this one says so. */
function isDelegationRefused({ status, headers }: Response): boolean {
  return status === 401 && /\berror="invalid_token"/.test(headers.get('WWW-Authenticate') ?? '')
}

async function post(counterpart: Counterpart, message: unknown): Promise<Response> {
  const { interfaceUrl, sign, delegationToken } = counterpart
  const delegation = await delegationToken()
  const token = await sign()
  try {
    return await fetch(`${interfaceUrl}/message:send`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(delegation === undefined ? {} : { 'X-A2A-User-Delegation': `Bearer ${delegation}` }),
        'A2A-Version': '1.0',
        'Content-Type': 'application/json',
        Accept: 'application/a2a+json',
      },
      body: JSON.stringify({ message }),
      // A token is meant for the interface on the card, and follows no redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT),
    })
  } catch (cause) {
    throw unreachable(interfaceUrl, cause)
  }
}

/** `Retry-After` in whole seconds, at least one (RFC 9110 §10.2.3). */
function readRetryAfter(response: Response): number | undefined {
  const value = response.headers.get('Retry-After')?.trim() ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(1, Math.ceil(seconds))
}

async function readReply({ interfaceUrl }: Counterpart, response: Response): Promise<Answer> {
  const parsed = replySchema.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw notUnderstood(interfaceUrl, 'the reply is neither a message nor a task')
  if ('message' in parsed.data) {
    const { contextId, parts, metadata } = parsed.data.message
    const turn = { text: joinParts(parts), receipt: metadata?.['pact.receipt'], stepUp: undefined }
    return { kind: 'reply', contextId, turn }
  }
  const { contextId, status, metadata } = parsed.data.task
  const stepUp =
    status.state === 'TASK_STATE_AUTH_REQUIRED'
      ? {
          missingScopes: metadata?.['pact.missingScopes'] ?? [],
          link: metadata?.['pact.verificationUriComplete'],
        }
      : undefined
  const turn = { text: joinParts(status.message?.parts ?? []), receipt: metadata?.['pact.receipt'], stepUp }
  return { kind: 'reply', contextId, turn }
}

function joinParts(parts: z.infer<typeof partsSchema>): string {
  return parts.flatMap(({ text }) => text ?? []).join('\n')
}

async function readError(response: Response): Promise<Answer> {
  const parsed = errorSchema.safeParse(await response.json().catch(() => undefined))
  const error = parsed.data?.error
  return {
    kind: 'refused',
    status: response.status,
    reason: error?.details[0]?.reason,
    detail: error?.message,
  }
}
