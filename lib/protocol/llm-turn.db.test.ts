import { randomUUID } from 'node:crypto'
import { compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { startModel, type TestModel } from '#e2e/harness/model-endpoint.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { sealAgentSecret } from '#lib/agents/stored-secrets.ts'
import { hashArguments } from '#lib/agents/tools/arguments-hash.ts'
import { flushTraffic } from '#lib/conversations/traffic.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'

const sender = delegatedSenderOfThisFile()
const { send, allow, grantTo, tokenFor } = sender
let model: TestModel

beforeAll(async () => {
  model = await startModel()
})
afterAll(() => model.close())
beforeEach(async () => {
  model.requests.length = 0
  sender.api.calls.length = 0
  const settings = {
    driver: 'llm',
    endpoint: model.url,
    model: 'test',
    instructions: 'You help with orders.',
    maxSteps: 6,
    maxOutputTokens: 500,
    contextTokens: 8_000,
    maxTurnTokens: 100_000,
    timeLimitSeconds: 3,
  }
  await prisma().brand.update({ where: { id: BRAND_ID }, data: { agent: settings } })
  forgetConfirmation()
})

const list = { tool: 'list_orders', arguments: {} }
const cancel = (number: string) => ({ tool: 'cancel_order', arguments: { number } })
const argsHash = (number: string) => hashArguments({ number })

describe('a Brand whose agent a model speaks for', () => {
  it('steps up, and once it may, does as the model wishes and tells so in a receipt', async () => {
    const subject = randomUUID()
    const message = { messageId: 'm-1' }
    model.answerInTurn({ calls: [list] }, { text: 'May I see your orders?' })
    const { body: asked } = await send('My orders?', { subject, message })
    expect(asked.task).toMatchObject({
      status: { state: 'TASK_STATE_AUTH_REQUIRED', message: { parts: [{ text: 'May I see your orders?' }] } },
      metadata: { 'pact.missingScopes': ['orders:read'] },
    })
    expect(sender.api.calls).toEqual([])
    const token = await tokenFor(await grantTo(subject, ['orders:read']), ['orders:read'])
    model.answerInTurn({ calls: [list] }, { text: 'You have two orders.' })
    const again = { subject, token, message: { ...message, contextId: asked.task.contextId } }
    const { body } = await send('My orders?', again)
    expect(body.message.parts).toEqual([{ text: 'You have two orders.' }])
    const { jws, claims } = body.message.metadata['pact.receipt']
    expect(claims).toMatchObject({ actions: [{ tool: 'list_orders' }], scopesUsed: ['orders:read'] })
    const keys = createLocalJWKSet(await publishedJwks(BRAND_ID))
    const { payload } = await compactVerify(jws, keys)
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims)
    expect(sender.api.calls[0]?.headers.authorization).toBe(`Bearer ${token}`)
    // The stored reply, and nobody is asked again (§4.3).
    const calls = [model.requests.length, sender.api.calls.length]
    expect((await send('My orders?', again)).body).toEqual(body)
    expect([model.requests.length, sender.api.calls.length]).toEqual(calls)
  })

  it('tells in the receipt of a step-up what it has done, and does not do it again in other words', async () => {
    const { subject, grantId, token } = await allow('orders:cancel')
    const message = { messageId: 'm-1' }
    model.answerInTurn({ calls: [cancel('A-1')] }, { calls: [list] }, { text: 'May I look, too?' })
    const { body: asked } = await send('Cancel A-1 and show me the rest', { subject, token, message })
    expect(asked.task.metadata['pact.receipt'].claims).toMatchObject({
      actions: [{ tool: 'cancel_order', argsHash: argsHash('A-1') }],
      scopesUsed: ['orders:cancel'],
    })
    const scopes = ['orders:cancel', 'orders:read']
    await prisma().grant.update({ where: { id: grantId }, data: { scopes } })
    const more = await tokenFor(grantId, scopes)
    model.answerInTurn({ calls: [cancel('a-1'), cancel('A-1')] }, { calls: [list] }, { text: 'Done.' })
    const again = { subject, token: more, message: { ...message, contextId: asked.task.contextId } }
    const { body } = await send('Cancel A-1 and show me the rest', again)
    expect(body.message.parts).toEqual([{ text: 'Done.' }])
    const [first, second, third] = sender.api.calls
    expect(sender.api.calls.map(({ path }) => path)).toEqual([
      '/orders/A-1/cancel',
      '/orders/A-1/cancel',
      '/orders',
    ])
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(third?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  })

  it('remembers what was said, by whole turns', async () => {
    const subject = randomUUID()
    model.answerInTurn({ text: 'Hello.' }, { text: 'Fine.' })
    const { body } = await send('Hi', { subject })
    await send('How are you?', { subject, message: { contextId: body.message.contextId } })
    expect(model.requests.at(-1)?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: You help with orders.',
      'user: Hi',
      'assistant: Hello.',
      'user: How are you?',
    ])
  })

  it('brings the endpoint the key that is stored for it', async () => {
    const name = 'llm.apiKey'
    const { origin } = new URL(model.url)
    const sealed = await sealAgentSecret('sk-1', BRAND_ID, name)
    await prisma().agentSecret.create({ data: { brandId: BRAND_ID, name, origin, sealed } })
    forgetConfirmation()
    model.answerInTurn({ text: 'Hello.' })
    await send('Hi', { subject: randomUUID() })
    expect(model.headers.at(-1)?.authorization).toBe('Bearer sk-1')
    await prisma().agentSecret.updateMany({ data: { origin: 'https://elsewhere.example' } })
    forgetConfirmation()
    await send('Hi', { subject: randomUUID() })
    expect(model.headers.at(-1)?.authorization).toBeUndefined()
  })

  it('counts what a turn used', async () => {
    await flushTraffic()
    await pool().query('TRUNCATE "TrafficHour"')
    const { subject, token } = await allow('orders:read')
    model.answerInTurn({ calls: [list] }, { text: 'Two.' })
    await send('My orders?', { subject, token })
    await flushTraffic()
    const rows = await prisma().trafficHour.findMany({ where: { brandId: BRAND_ID } })
    const counted = Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]))
    expect(counted).toMatchObject({ model_call: 2, tool_call: 1, message: 1 })
    expect(counted.input_token).toBeGreaterThan(1)
    expect(counted.output_token).toBeGreaterThan(1)
  })

  it('a model that is out of order: 500 INTERNAL, and the message stays without a reply', async () => {
    const subject = randomUUID()
    model.answerInTurn({ text: 'Hello.' }, { raw: '<html>' }, { text: 'Back again.' })
    const { contextId } = (await send('Hi', { subject })).body.message
    const message = { contextId, messageId: 'm-2' }
    const failed = await send('And?', { subject, message })
    expect([failed.status, failed.body.error.details[0].reason]).toEqual([500, 'INTERNAL'])
    expect((await send('And?', { subject, message })).body.error.details[0].reason).toBe('INVALID_PARAMS')
    const { body } = await send('Still there?', { subject, message: { contextId } })
    expect(body.message.parts).toEqual([{ text: 'Back again.' }])
    expect(model.requests.at(-1)?.messages.map(({ content }) => content)).not.toContain('And?')
  })
})
