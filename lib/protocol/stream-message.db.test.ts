import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseEventStream } from '#e2e/conformance/event-stream.ts'
import type { DelegatedMessage } from '#e2e/harness/delegated-sender.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID, CLOSING_TEXT, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { signPaToken } from '#e2e/harness/wire.ts'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { revokeGrant } from '#lib/delegation/grants.ts'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { handle } from './handle.ts'

const sender = delegatedSenderOfThisFile()

/** Well longer than a look at the grant counts. */
const DELAY = 0.5
const TIME_LIMIT = 1

beforeAll(async () => {
  const where = { id: BRAND_ID }
  const { agent } = await prisma().brand.findUniqueOrThrow({ where })
  const { rules, ...others } = agent as { rules: object[] }
  const slow = rules.map((rule) => ('call' in rule ? { ...rule, delaySeconds: DELAY } : rule))
  const data = { streaming: true, agent: { ...others, timeLimitSeconds: TIME_LIMIT, rules: slow } }
  await prisma().brand.update({ where, data })
})

/** The stream's only event, once it has ended. */
async function streamed(text: string, sent: DelegatedMessage) {
  const response = await sender.stream(text, sent)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
  const { events } = parseEventStream(await response.text())
  const [event] = events
  if (events.length !== 1 || !event) return expect.fail(`one event; got ${JSON.stringify(events)}`)
  return { ...event, body: JSON.parse(event.data) }
}

async function get(path: string, { method = 'GET', brandId = BRAND_ID } = {}) {
  const headers = { Authorization: `Bearer ${await signPaToken(sender.agent)}` }
  const response = await handle(new Request(`${interfaceUrl(brandId)}/${path}`, { method, headers }))
  return { status: response.status, content: await response.text() }
}

describe('message:stream (A2A 1.0)', () => {
  it('ends in what message:send answers, and the reply is stored as its is', async () => {
    const subject = randomUUID()
    const messageId = 'm-1'
    const { type, data, body } = await streamed('my order', { subject, message: { messageId } })
    expect(type).toBe('message')
    expect(body).toEqual({
      message: {
        messageId: expect.any(String),
        contextId: expect.any(String),
        role: 'ROLE_AGENT',
        parts: [{ text: 'Sure, what is the order number?' }],
      },
    })
    const { contextId } = body.message
    const again = { subject, message: { messageId, contextId } }
    expect((await sender.send('my order', again)).content).toBe(data)
    expect((await streamed('my order', again)).data).toBe(data)
    const next = await streamed('A-17', { subject, message: { contextId } })
    expect(next.body.message.parts).toEqual([{ text: 'Order A-17 leaves tomorrow.' }])
  })

  it('§5.6: the event carries the receipt, of a reply and of a step-up task', async () => {
    const { subject, token } = await sender.allow('orders:read')
    const message = { messageId: 'm-1' }
    const reply = await streamed('my orders', { subject, token, message })
    const { claims } = reply.body.message.metadata['pact.receipt']
    expect(claims).toMatchObject({ actions: [{ tool: 'list_orders' }], scopesUsed: ['orders:read'] })
    const { contextId } = reply.body.message
    const again = { subject, token, message: { ...message, contextId } }
    expect((await sender.send('my orders', again)).content).toBe(reply.data)
    expect(sender.api.calls).toHaveLength(1)

    const { type, body } = await streamed('cancel A-1', { subject, token, message: { contextId } })
    expect(type).toBe('message')
    expect(Object.keys(body)).toEqual(['task'])
    expect(body.task).toMatchObject({
      contextId,
      status: { state: 'TASK_STATE_AUTH_REQUIRED' },
      metadata: {
        'pact.missingScopes': ['orders:cancel'],
        'pact.receipt': { claims: { actions: [], scopesUsed: [] } },
      },
    })
  })

  it('a caller who leaves ends nothing: the message sent again gets the stored reply', async () => {
    const { subject, token } = await sender.allow('orders:read')
    const { contextId } = (await sender.send('hello', { subject, token })).body.message
    const sent = { subject, token, message: { contextId, messageId: 'm-2' } }
    const response = await sender.stream('my orders', sent)
    await response.body?.cancel()
    expect(sender.api.calls).toEqual([])
    await expect.poll(() => sender.api.calls.length, { timeout: 3_000 }).toBe(1)
    await expect
      .poll(async () => (await sender.send('my orders', sent)).body.message?.parts)
      .toEqual([{ text: 'A-1: packed.' }])
    expect(sender.api.calls).toHaveLength(1)
  })
})

describe('message:stream, before the agent’s turn, answers as message:send does', () => {
  const shown = (response: Response, content: string) => ({
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'x-request-id')),
    content,
  })

  async function expectSameAnswer(status: number, text: string, sent: DelegatedMessage) {
    const response = await sender.stream(text, sent)
    const answered = await sender.send(text, sent)
    const { headers, content } = answered
    expect(shown(response, await response.text())).toEqual(
      shown(new Response(null, { status: answered.status, headers }), content),
    )
    expect(answered.status).toBe(status)
  }

  it.each([
    ['not JSON', 400, { rawBody: '{' }],
    ['a wrong role', 400, { message: { role: 'ROLE_AGENT' } }],
    ['blank text', 400, { message: { parts: [{ text: ' ' }] } }],
    ['a part that is not text', 400, { message: { parts: [{ data: {} }] } }],
    ['a task id', 404, { message: { taskId: 't-1' } }],
    ['an unknown context', 400, { message: { contextId: randomUUID() } }],
    ['a bad delegation token', 401, { token: 'a.b.c' }],
    ['an empty delegation header', 401, { token: '' }],
  ])('%s', async (_, status, sent) => {
    await expectSameAnswer(status, 'hello', { subject: randomUUID(), ...sent })
  })

  it('a closed conversation, and a message that has no reply', async () => {
    const subject = randomUUID()
    const closed = await streamed(CLOSING_TEXT, { subject })
    await expectSameAnswer(400, 'hello', { subject, message: { contextId: closed.body.message.contextId } })
    const { contextId } = (await streamed('hello', { subject })).body.message
    const message = { contextId, messageId: 'm-1' }
    expect((await streamed('stuck', { subject, message })).type).toBe('error')
    await expectSameAnswer(400, 'stuck', { subject, message })
  })

  it('another User of the Brand', async () => {
    const { subject, token } = await sender.allow('orders:read')
    const { contextId } = (await streamed('hello', { subject, token })).body.message
    const grantId = await sender.grantTo(subject, ['orders:read'], 'john-1')
    const other = await sender.tokenFor(grantId, ['orders:read'], 'john-1')
    await expectSameAnswer(400, 'hello', { subject, token: other, message: { contextId } })
  })
})

describe('message:stream, once the agent has its turn', () => {
  it('tells of a failure in the envelope of §6, as an event of the type "error"', async () => {
    const { type, body } = await streamed('stuck', { subject: randomUUID() })
    expect({ type, body }).toEqual({
      type: 'error',
      body: {
        error: {
          code: 500,
          status: 'INTERNAL',
          message: 'Internal error',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'INTERNAL',
              domain: 'a2a-protocol.org',
            },
          ],
        },
      },
    })
  })

  it('tells of a token that ended before anything was done, and the message may be sent again', async () => {
    const { subject, token, grantId } = await sender.allow('orders:read')
    const message = { messageId: 'm-1' }
    const { contextId } = (await sender.send('hello', { subject, token })).body.message
    const reading = streamed('my orders', { subject, token, message: { ...message, contextId } })
    await sleep((DELAY * 1000) / 2)
    await revokeGrant({ brandId: BRAND_ID, grantId, by: 'user' })
    const { type, body } = await reading
    expect({ type, body }).toEqual({
      type: 'error',
      body: {
        error: { code: 401, status: 'UNAUTHENTICATED', message: 'The delegation token is no longer valid' },
      },
    })
    expect(sender.api.calls).toEqual([])
    const again = await sender.tokenFor(await sender.grantTo(subject, ['orders:read']), ['orders:read'])
    const { body: reply } = await streamed('my orders', {
      subject,
      token: again,
      message: { ...message, contextId },
    })
    expect(reply.message.parts).toEqual([{ text: 'A-1: packed.' }])
  })
})

describe('tasks/{id}:subscribe with streaming', () => {
  it.each(['GET', 'POST'])('%s finds no task, since none is kept', async (method) => {
    const { status, content } = await get('tasks/t-1:subscribe', { method })
    expect([status, JSON.parse(content).error.details[0].reason]).toEqual([404, 'TASK_NOT_FOUND'])
  })
})

describe('the card', () => {
  it('says what the Brand offers', async () => {
    const { content } = await get('.well-known/agent-card.json')
    expect(JSON.parse(content).capabilities).toEqual({
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
    })
  })
})

describe('a Brand without streaming', () => {
  const unsupported =
    '{"error":{"code":400,"status":"FAILED_PRECONDITION","message":"This operation is not supported","details":[' +
    '{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"UNSUPPORTED_OPERATION","domain":"a2a-protocol.org"}]}}'

  it('has the card that it always had', async () => {
    const { content } = await get('.well-known/agent-card.json', { brandId: OTHER_BRAND_ID })
    const { providerUrl } = config()
    expect(content).toBe(
      '{"name":"Northlight Energy","description":"Orders and deliveries.","supportedInterfaces":[' +
        `{"url":"${providerUrl}/a2a/${OTHER_BRAND_ID}","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}],` +
        `"provider":{"organization":"Test Provider","url":"${providerUrl}"},"version":"1.0.0",` +
        '"capabilities":{"streaming":false,"pushNotifications":false,"extendedAgentCard":false},' +
        '"securitySchemes":{"paJwt":{"httpAuthSecurityScheme":{"scheme":"Bearer","bearerFormat":"JWT"}}},' +
        '"securityRequirements":[{"schemes":{"paJwt":{"list":[]}}}],"defaultInputModes":["text/plain"],' +
        '"defaultOutputModes":["text/plain"],"skills":[{"id":"orders","name":"Orders",' +
        '"description":"Order status and changes.","tags":["orders"],"examples":[]}]}',
    )
  })

  it('answers as it always did, whatever is sent', async () => {
    const sent = { subject: randomUUID(), brandId: OTHER_BRAND_ID }
    for (const more of [{}, { rawBody: '{' }, { rawBody: 'x'.repeat(300_000) }, { token: 'a.b.c' }]) {
      const response = await sender.stream('hello', { ...sent, ...more })
      expect([response.status, [...response.headers].filter(([name]) => name !== 'x-request-id')]).toEqual([
        400,
        [
          ['cache-control', 'no-store'],
          ['content-type', 'application/a2a+json'],
        ],
      ])
      expect(await response.text()).toBe(unsupported)
    }
    for (const method of ['GET', 'POST']) {
      const answer = await get('tasks/t-1:subscribe', { method, brandId: OTHER_BRAND_ID })
      expect(answer).toEqual({ status: 400, content: unsupported })
    }
    expect(await prisma().message.count({ where: { brandId: OTHER_BRAND_ID } })).toBe(0)
  })
})
