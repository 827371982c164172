import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Asker, notAccepted, notUnderstood, refused, unreachable } from './problem.ts'

/** How long a reply may take, in milliseconds: an agent may think for two minutes. */
const TIME_LIMIT = 130_000

/** The longest wait that a 429 may ask for, in seconds. */
const MAX_WAIT = 60

const partsSchema = z.array(z.object({ text: z.string().optional() }))

const replySchema = z.union([
  z.object({
    message: z.object({ contextId: z.string().min(1), role: z.literal('ROLE_AGENT'), parts: partsSchema }),
  }),
  z.object({
    task: z.object({
      contextId: z.string().min(1),
      status: z.object({ state: z.string(), message: z.object({ parts: partsSchema }).optional() }),
      metadata: z
        .object({
          'pact.missingScopes': z.array(z.string()).optional(),
          'pact.verificationUriComplete': z.string().optional(),
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
  /** Tells the person what happens meanwhile. */
  notify(text: string): void
}

export type Conversation = {
  /**
   * Says `text` and returns the Brand's reply. A conversation that the Brand closed is followed by a new one.
   *
   * @throws Problem
   */
  send(text: string): Promise<string>
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
      return answer.text
    },
  }
}

type Answer =
  | { kind: 'reply'; contextId: string; text: string }
  | { kind: 'refused'; status: number; reason: string | undefined; detail: string | undefined }

/** Sends one message; where the Provider asks to wait (429), waits once and sends the same message again (§6). */
async function sendMessage(
  counterpart: Counterpart,
  text: string,
  contextId: string | undefined,
): Promise<Answer> {
  const message = { messageId: randomUUID(), contextId, role: 'ROLE_USER', parts: [{ text }] }
  let response = await post(counterpart, message)
  const wait = response.status === 429 ? readRetryAfter(response) : undefined
  if (wait !== undefined && wait <= MAX_WAIT) {
    await response.body?.cancel()
    counterpart.notify(`The Provider asks to wait ${wait} s (429). Sending again then.`)
    await pause(wait * 1000)
    response = await post(counterpart, message)
  }
  if (response.status === 401) throw notAccepted(counterpart.asker)
  return response.ok ? readReply(counterpart, response) : readError(response)
}

async function post({ interfaceUrl, sign }: Counterpart, message: unknown): Promise<Response> {
  const token = await sign()
  try {
    return await fetch(`${interfaceUrl}/message:send`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
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

async function readReply({ interfaceUrl, notify }: Counterpart, response: Response): Promise<Answer> {
  const parsed = replySchema.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw notUnderstood(interfaceUrl, 'the reply is neither a message nor a task')
  if ('message' in parsed.data) {
    const { contextId, parts } = parsed.data.message
    return { kind: 'reply', contextId, text: joinParts(parts) }
  }
  const { contextId, status, metadata } = parsed.data.task
  if (status.state === 'TASK_STATE_AUTH_REQUIRED') {
    notify(`The Brand needs your permission: ${metadata?.['pact.missingScopes']?.join(', ') || 'unnamed'}.`)
    const link = metadata?.['pact.verificationUriComplete']
    if (link) notify(`You would give it at ${link}`)
  }
  return { kind: 'reply', contextId, text: joinParts(status.message?.parts ?? []) }
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
