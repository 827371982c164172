import { type Agent, MAX_TEXT_BYTES } from '#lib/agents/agent.ts'
import { agentOf } from '#lib/brands/agent-of.ts'
import type { Brand } from '#lib/brands/brand.ts'
import type { IncomingMessage, Reply, TurnResult } from '#lib/conversations/conversation.ts'
import { takeTurn } from '#lib/conversations/take-turn.ts'
import { countTurn } from '#lib/conversations/traffic.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { countRefusal } from '#lib/identity/refusals.ts'
import { type A2AError, internalError, invalidParams } from './a2a-errors.ts'
import { a2aError, a2aJson, badDelegationToken, tooManyRequests } from './answers.ts'
import { checkDelegation } from './check-delegation.ts'
import { contentsOf, type SentMessage, sendMessageSchema } from './message-schema.ts'
import { readJsonBody } from './read-body.ts'
import { receiptMetadata } from './receipt-metadata.ts'
import type { RequestRecord } from './request-record.ts'
import { buildStepUpTask } from './step-up-task.ts'

type Checked<T> = { ok: true; value: T } | { ok: false; error: A2AError }

function fail(error: A2AError): { ok: false; error: A2AError } {
  return { ok: false, error }
}

/** §4.1, §6: bad JSON or schema, a wrong role. */
function checkSchema(body: unknown): Checked<SentMessage> {
  const parsed = sendMessageSchema.safeParse(body)
  if (parsed.success) return { ok: true, value: parsed.data.message }
  const issue = parsed.error.issues[0]
  return fail(invalidParams(`${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not valid'}`))
}

/** §4.1: `taskId` must be absent, since ordinary turns create no task. */
function checkTaskId(message: SentMessage): A2AError | undefined {
  return message.taskId === undefined ? undefined : { reason: 'TASK_NOT_FOUND', message: 'Task not found' }
}

/** §4.1: text parts only, at least one of them not blank. */
function checkText({ parts }: SentMessage): Checked<string> {
  for (const [index, part] of parts.entries()) {
    const kinds = contentsOf(part)
    if (kinds.includes('text') && kinds.length > 1)
      return fail(invalidParams(`message.parts.${index}: more than one kind of content`))
    if (kinds.some((kind) => kind !== 'text')) {
      return fail({ reason: 'CONTENT_TYPE_NOT_SUPPORTED', message: 'Only text parts are supported' })
    }
  }
  const text = parts.map((part) => part.text ?? '').join('\n')
  if (!text.trim()) return fail(invalidParams('message.parts: no text that is not blank'))
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    return fail(invalidParams(`message.parts: more than ${MAX_TEXT_BYTES} bytes of text`))
  }
  return { ok: true, value: text }
}

/** Reads the message of a request and checks it (§4.1). */
export async function readMessage(request: Request): Promise<Checked<IncomingMessage>> {
  const body = await readJsonBody(request)
  if (!body.ok) return fail(invalidParams(body.fault))
  const message = checkSchema(body.value)
  if (!message.ok) return message
  const taskFault = checkTaskId(message.value)
  if (taskFault) return fail(taskFault)
  const text = checkText(message.value)
  if (!text.ok) return text
  const { messageId, contextId } = message.value
  return { ok: true, value: { messageId, contextId, text: text.value } }
}

/** §4: the reply as an A2A Message, synchronously. Under a delegation token it carries its receipt (§5.6). */
function buildReply({ contextId, replyId, text, receipt }: Reply) {
  const message = { messageId: replyId, contextId, role: 'ROLE_AGENT', parts: [{ text }] }
  return { message: receipt ? { ...message, metadata: receiptMetadata(receipt) } : message }
}

/** §5.5: the 401 of a bad delegation token. */
function refuseDelegation(caller: Caller, brand: Brand, record: RequestRecord): Response {
  record.reason = 'delegation_token'
  countRefusal({ reason: 'delegation_token', personalAgentId: caller.personalAgent.id, brandId: brand.id })
  return badDelegationToken()
}

async function answerTurn(
  result: TurnResult,
  caller: Caller,
  brand: Brand,
  record: RequestRecord,
): Promise<Response> {
  switch (result.kind) {
    case 'replied':
      record.failure = result.fault
      return a2aJson(buildReply(result.reply))
    case 'step-up':
      record.failure = result.fault
      return a2aJson(await buildStepUpTask(result.turn, caller, brand))
    case 'unknown-context':
      return a2aError(invalidParams('Unknown contextId'))
    case 'other-user':
      return a2aError(invalidParams('This conversation belongs to another User of the Brand'))
    case 'token-ended':
      return refuseDelegation(caller, brand, record)
    case 'unanswered':
      return a2aError(invalidParams('A message with this messageId was sent before and has no reply'))
    case 'closed':
      return a2aError({
        reason: 'UNSUPPORTED_OPERATION',
        message: 'This conversation is closed; leave out contextId to start another',
      })
    case 'busy':
      record.reason = 'conversation_busy'
      return tooManyRequests(1)
    case 'failed':
      record.failure = result.cause
      return a2aError(internalError)
  }
}

/** What the console's charts count a turn as; undefined for what was no turn. */
function countedAs({ kind }: TurnResult): 'message' | 'step_up' | 'error' | undefined {
  if (kind === 'replied') return 'message'
  if (kind === 'step-up') return 'step_up'
  return kind === 'failed' ? 'error' : undefined
}

/** The Brand's agent, which says when it is given a turn. */
function announced(agent: Agent, onTurn: () => void): Agent {
  return {
    ...agent,
    run(turn) {
      onTurn()
      return agent.run(turn)
    },
  }
}

/**
 * `POST message:send` (§4, §5.5): one message in, one reply out. The body is read once both tokens are valid; since a body
 * may take its time, the delegation token is looked at again behind it, and still before what is wrong with the body.
 *
 * @param onTurn called when the agent is given the turn: whatever answers the message without one has been ruled out. It is
 *   not called where the agent answers at once
 */
export async function sendMessage(
  request: Request,
  caller: Caller,
  brand: Brand,
  record: RequestRecord,
  onTurn?: () => void,
): Promise<Response> {
  const checked = await checkDelegation(request, caller, brand)
  if (!checked.ok) return refuseDelegation(caller, brand, record)
  const { delegation } = checked
  const message = await readMessage(request)
  if (delegation && !(await delegation.access.scopesNow())) return refuseDelegation(caller, brand, record)
  if (!message.ok) return a2aError(message.error)
  const owner = { brandId: brand.id, personalAgentId: caller.personalAgent.id, subject: caller.subject }
  const agent = onTurn ? announced(agentOf(brand), onTurn) : agentOf(brand)
  const counterpart = { agent, idleTime: brand.idleTime }
  const startedAt = performance.now()
  const result = await takeTurn(owner, message.value, counterpart, delegation)
  const kind = countedAs(result)
  if (kind) countTurn(kind, owner, performance.now() - startedAt)
  return answerTurn(result, caller, brand, record)
}
