import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectA2aError, type Reason } from '../expectations.ts'
import type { Provider } from '../provider.ts'
import { listed, must } from '../requirement.ts'
import { newSubject } from '../tokens.ts'
import { type Answer, at, exchange, retryAfter } from '../wire.ts'

const taskId = randomUUID()

/** A request for each reason of the table that any Provider can be brought to give. */
const provoked: [Reason, string, (provider: Provider) => Promise<Answer>][] = [
  ['INVALID_PARAMS', 'an invalid request', (provider) => provider.message({ extra: { parts: [] } })],
  [
    'CONTENT_TYPE_NOT_SUPPORTED',
    'a non-text part',
    (provider) => provider.message({ extra: { parts: [{ data: { order: 1 } }] } }),
  ],
  ['TASK_NOT_FOUND', 'a task lookup', (provider) => provider.operation('GET', `tasks/${taskId}`)],
  ['TASK_NOT_FOUND', 'a task cancel', (provider) => provider.operation('POST', `tasks/${taskId}:cancel`)],
  ['TASK_NOT_FOUND', 'a taskId on message:send', (provider) => provider.message({ extra: { taskId } })],
]

for (const [reason, when, provoke] of provoked) {
  must('6', `${reason} for ${when}, in its exact envelope: code, status, details[0]`, async (provider) => {
    const answer = await provoke(provider)
    expectA2aError(answer, reason)
    expect(at(answer.json, 'error', 'code'), 'code repeats the HTTP status').toBe(answer.status)
    expect(Object.keys(Object(answer.json)), 'nothing beside error').toEqual(['error'])
  })
}

must(
  '6',
  'UNSUPPORTED_OPERATION for an unsupported operation, in its exact envelope',
  async (provider, notTested) => {
    if (provider.has('extendedAgentCard')) notTested('the card offers an extended card')
    expectA2aError(await provider.operation('GET', 'extendedAgentCard'), 'UNSUPPORTED_OPERATION')
  },
)

must('6', 'PUSH_NOTIFICATION_NOT_SUPPORTED, in its exact envelope', async (provider, notTested) => {
  if (provider.has('pushNotifications')) notTested('the card offers push notifications')
  const answer = await provider.operation('GET', `tasks/${taskId}/pushNotificationConfigs`)
  expectA2aError(answer, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
})

must('6', 'INTERNAL when the Provider fails, in its exact envelope', async (provider, notTested) => {
  const { failingText } = provider.target
  if (failingText === undefined) return notTested('needs FAILING_TEXT')
  expectA2aError(await provider.message({ text: failingText }), 'INTERNAL')
})

/** What §6 counts as INVALID_PARAMS and §4.1 does not name. */
const badBodies: [string, unknown][] = [
  ['a body that is not JSON', '{ "message": '],
  ['an empty body', ''],
  ['JSON that is not an object', '[]'],
  ['JSON null', 'null'],
  ['no message', {}],
  ['a message that is null', { message: null }],
  ['a message that is not an object', { message: 'Hello' }],
  ['JSON-RPC', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} }],
]

for (const [what, body] of badBodies) {
  must('6', `INVALID_PARAMS for ${what}`, async (provider) => {
    expectA2aError(await provider.post(body), 'INVALID_PARAMS')
  })
}

must('6', 'a 429 carries Retry-After', async (provider, notTested) => {
  const { rateLimitBurst } = provider.target
  if (rateLimitBurst === undefined) return notTested('needs RATE_LIMIT_BURST')
  const token = await provider.token(newSubject())
  for (let sent = 0; sent < rateLimitBurst; sent += 1) {
    const answer = await exchange({ url: `${provider.interfaceUrl}/tasks`, token })
    if (answer.status !== 429) continue
    expect(retryAfter(answer), 'Retry-After').toBeDefined()
    return
  }
  notTested(`no 429 within ${rateLimitBurst} requests`)
})

listed('6', 'MUST NOT', 'infer the reason from the HTTP status alone', 'binds personal agents')
listed('6', 'SHOULD', 'wait Retry-After before retrying after a 429', 'binds personal agents')
