import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { startModel, type TestModel } from '#e2e/harness/model-endpoint.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { Access, TraceStep, TurnRequest } from '../agent.ts'
import { BROKEN_OFF_TEXT, MISSING_SCOPES_TEXT } from '../fixed-texts.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { AgentFailedError, runTurn } from '../run-turn.ts'
import { hashArguments } from '../tools/arguments-hash.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

let api: TestBrandApi
let model: TestModel

beforeAll(async () => {
  api = await startBrandApi()
  model = await startModel()
})
afterAll(async () => {
  await api.close()
  await model.close()
})
beforeEach(() => {
  api.calls.length = 0
  api.answerWith(() => ({ json: { done: true } }))
  model.requests.length = 0
})

const number = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }

const tool = (name: string, more: object) =>
  toolSchema({ allowLoopback: true }).parse({
    name,
    description: `What ${name} does.`,
    request: { method: 'GET', url: `${api.origin}/${name}` },
    ...more,
  })

const tools = () => [
  tool('hours', {}),
  tool('list_orders', { scope: 'orders:read' }),
  tool('find_order', { scope: 'orders:read', arguments: number }),
  tool('cancel_order', {
    scope: 'orders:cancel',
    arguments: number,
    request: { method: 'POST', url: `${api.origin}/orders/{number}/cancel` },
  }),
  tool('refund', { scope: 'refunds:issue', arguments: number, changes: true }),
  tool('ticket', { arguments: number, changes: true }),
  tool('profile', {
    scope: 'profile:read',
    arguments: {
      type: 'object',
      properties: { user: { type: 'string' }, part: { type: 'string' } },
      required: ['user'],
    },
    userArgument: 'user',
    request: { method: 'GET', url: `${api.origin}/users/{user}` },
  }),
]

function build(settings: object = {}) {
  const parsed = llmAgentSchema({ allowLoopback: true }).parse({
    driver: 'llm',
    endpoint: model.url,
    model: 'test',
    instructions: 'You are the assistant of a shop. Be brief.',
    timeLimitSeconds: 5,
    ...settings,
  })
  return buildLlmAgent(parsed, tools())
}

function as(...scopes: string[]): Access {
  const held = new Set(scopes)
  return {
    brandUserId: 'jane-4471',
    scopes: held,
    token: 'header.claims.signature',
    scopesNow: async () => held,
  }
}

const run = (request: Partial<TurnRequest> = {}, settings: object = {}) =>
  runTurn(build(settings), turnRequest(request))

const call = (name: string, given: unknown = {}) => ({ tool: name, arguments: given })
const paths = () => api.calls.map(({ method, path }) => `${method} ${path}`)
const lastMessages = () => model.requests.at(-1)?.messages ?? []
const told = () =>
  lastMessages().flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content)] : []))

describe('a turn without tools', () => {
  it('is answered in the model’s words, from the instructions, what went before and what is said', async () => {
    model.answerInTurn({ text: ' Hello Jane. \n' })
    const past = [{ text: 'Hi', reply: 'Hi there.' }]
    const outcome = await run({ text: 'My name is Jane', history: async () => past, state: { a: 1 } })
    expect(outcome).toEqual({
      reply: 'Hello Jane.',
      state: { a: 1 },
      close: false,
      actions: [],
      scopesUsed: [],
    })
    expect(lastMessages().map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You are the assistant of a shop. Be brief.'],
      ['user', 'Hi'],
      ['assistant', 'Hi there.'],
      ['user', 'My name is Jane'],
    ])
  })

  it('tells what it used, and each step to whoever tries it', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { text: 'At nine.' })
    api.answerWith(() => ({ json: { open: 9 } }))
    const steps: TraceStep[] = []
    const request = turnRequest({ trace: (step) => steps.push(step) })
    await runTurn(build(), request)
    expect(request.usage).toMatchObject({
      modelCalls: 2,
      failedModelCalls: 0,
      toolCalls: 1,
      failedToolCalls: 0,
    })
    expect(request.usage.modelTime).toBeGreaterThan(0)
    expect(request.usage.toolTime).toBeGreaterThan(0)
    expect(request.usage.inputTokens).toBeGreaterThan(10)
    expect(request.usage.outputTokens).toBeGreaterThan(1)
    expect(steps).toMatchObject([
      { kind: 'model', model: 'test', text: '', calls: [{ tool: 'hours', arguments: {} }] },
      { kind: 'tool', tool: 'hours', arguments: {}, answer: { open: 9 } },
      { kind: 'model', text: 'At nine.', calls: [] },
    ])
  })

  it('brings the endpoint its key, and nobody else', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { text: 'At nine.' })
    const asked: unknown[] = []
    await run({
      secret: async (...about) => {
        asked.push(about)
        return 'sk-1'
      },
    })
    expect(asked).toEqual([['llm.apiKey', model.url]])
    expect(JSON.stringify([model.requests, api.calls])).not.toContain('sk-1')
  })
})

describe('the tools', () => {
  it('are called in the model’s order, one after the other, and told of in the receipt', async () => {
    model.answerInTurn(
      {
        calls: [
          call('find_order', { number: 'A-1' }),
          call('cancel_order', { number: 'A-1' }),
          call('hours'),
        ],
      },
      { text: 'Cancelled.' },
    )
    let running = 0
    api.answerWith(async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
      return { json: { done: true } }
    })
    const argsHash = hashArguments({ number: 'A-1' })
    expect(await run({ access: as('orders:read', 'orders:cancel') })).toMatchObject({
      reply: 'Cancelled.',
      actions: [{ tool: 'find_order', argsHash }, { tool: 'cancel_order', argsHash }, { tool: 'hours' }],
      scopesUsed: ['orders:read', 'orders:cancel'],
    })
    expect(paths()).toEqual(['GET /find_order?number=A-1', 'POST /orders/A-1/cancel', 'GET /hours'])
    expect(told()).toEqual([
      { answer: { done: true } },
      { answer: { done: true } },
      { answer: { done: true } },
    ])
  })

  it('never get the User’s name from the model, and it is not asked for it', async () => {
    model.answerInTurn({ calls: [call('profile', { user: 'tom-1180', part: 'mail' })] }, { text: 'Here.' })
    const steps: TraceStep[] = []
    const outcome = await run({ access: as('profile:read'), trace: (step) => steps.push(step) })
    expect(paths()).toEqual(['GET /users/jane-4471?part=mail'])
    expect(steps[1]).toMatchObject({ kind: 'tool', arguments: { user: 'jane-4471', part: 'mail' } })
    expect(outcome).toMatchObject({
      actions: [{ tool: 'profile', argsHash: hashArguments({ user: 'jane-4471', part: 'mail' }) }],
    })
    const offered = model.requests[0]?.tools?.find(({ function: { name } }) => name === 'profile')
    expect(offered?.function.parameters).toMatchObject({ properties: { part: {} }, required: [] })
    expect(JSON.stringify(offered)).not.toContain('user')
  })

  it.each([
    ['an unknown tool', call('drop_tables'), 'Not called: there is no such tool.'],
    [
      'arguments that are no JSON',
      call('find_order', '{"number":'),
      'Not called: the arguments are no JSON object.',
    ],
    ['a list of arguments', call('find_order', ['A-1']), 'Not called: the arguments are no JSON object.'],
    ['no arguments', call('find_order'), "Not called: arguments must have required property 'number'."],
    ['wrong arguments', call('find_order', { number: {} }), 'Not called: arguments/number must be string.'],
    [
      'a prototype',
      call('find_order', '{"__proto__":{"number":"A-1"}}'),
      expect.stringMatching('Not called'),
    ],
    ['another path', call('cancel_order', { number: '../../users' }), expect.stringMatching('another URL')],
  ])('are not called with %s: the model is told', async (_, wish, error) => {
    model.answerInTurn({ calls: [wish] }, { text: 'I am sorry.' })
    expect(await run({ access: as('orders:read', 'orders:cancel') })).toMatchObject({
      reply: 'I am sorry.',
      actions: [],
    })
    expect(paths()).toEqual([])
    expect(told()).toEqual([{ error }])
  })

  it('are called twenty times in a turn, and no more', async () => {
    const many = Array.from({ length: 30 }, (_, n) => call('find_order', { number: `A-${n}` }))
    model.answerInTurn({ calls: many }, { calls: many }, { text: 'Enough.' })
    const outcome = await run({ access: as('orders:read') })
    expect(api.calls).toHaveLength(20)
    expect(outcome).toMatchObject({ reply: 'Enough.', actions: { length: 20 } })
    expect(told()).toHaveLength(60)
  })

  it('are asked for as often as there are steps: the last one is for words', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { calls: [call('hours')] }, { text: 'At nine.' })
    expect(await run({}, { maxSteps: 3 })).toMatchObject({ reply: 'At nine.', actions: { length: 2 } })
    expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none'])
  })

  it('are not called in the last step, even by a model that will not stop', async () => {
    model.answerInTurn({ text: 'One moment.', calls: [call('hours')] })
    const settings = { maxSteps: 3, failed: 'Let me get somebody.' }
    expect(await run({}, settings)).toMatchObject({
      reply: 'Let me get somebody.',
      actions: { length: 2 },
      fault: { message: 'The model wanted another call when it had to answer in words' },
    })
    expect(model.requests).toHaveLength(3)
  })

  it('answer the model with data: bounded, and without the token', async () => {
    const { token } = as()
    api.answerWith(({ path }) => ({
      json: path === '/hours' ? { text: 'x'.repeat(50_000) } : { you: `sent ${token}` },
    }))
    model.answerInTurn({ calls: [call('list_orders'), call('hours')] }, { text: 'Done.' })
    await run({ access: as('orders:read') }, { contextTokens: 4_000 })
    const [orders, hours] = told()
    expect(orders).toEqual({ answer: { you: 'sent ' } })
    expect(JSON.stringify(hours).length).toBeLessThan(3_300)
    expect(hours.answer.beginning).toMatch(/^\{"text":"xxx/)
  })

  it.each([
    [
      { status: 409, json: { detail: 'shipped' } },
      { error: 'The call was refused: nothing was done.', status: 409, answer: { detail: 'shipped' } },
    ],
    [
      { status: 500, raw: '<html>' },
      { error: 'The call failed, and it is not known whether it did its work.', status: 500 },
    ],
  ])('that answer %j are told of as failed', async (answer, expected) => {
    api.answerWith(() => answer)
    model.answerInTurn({ calls: [call('cancel_order', { number: 'A-1' })] }, { text: 'It failed.' })
    expect(await run({ access: as('orders:cancel') })).toMatchObject({
      reply: 'It failed.',
      actions: { length: 1 },
    })
    expect(told()).toEqual([expected])
  })
})

describe('the gate of scopes (§5.5)', () => {
  it('lets no call through that the token does not allow: the turn steps up for all that was wished for', async () => {
    model.answerInTurn(
      { calls: [call('list_orders'), call('cancel_order', { number: 'A-1' })] },
      { calls: [call('refund', { number: 'A-1' })] },
      { text: 'May I look, cancel and refund?' },
    )
    expect(await run({ access: as('other') })).toEqual({
      missingScopes: ['orders:read', 'orders:cancel', 'refunds:issue'],
      text: 'May I look, cancel and refund?',
      actions: [],
      scopesUsed: [],
      forNextRun: ['cancel_order', 'refund'].map((name) => ({
        tool: name,
        argsHash: hashArguments({ number: 'A-1' }),
        became: 'held',
      })),
    })
    expect(paths()).toEqual([])
    expect(told().map(({ error }) => error)).toEqual(
      Array(3).fill(expect.stringContaining('permission is missing')),
    )
  })

  it('says it in the Brand’s words where it has some, and in fixed ones where nobody has any', async () => {
    model.answerInTurn({ calls: [call('list_orders')] }, { text: 'Click here!' })
    expect(await run({}, { missingScopes: 'May I?' })).toMatchObject({ text: 'May I?' })
    model.answerInTurn({ calls: [call('list_orders')] }, { text: '' })
    expect(await run()).toMatchObject({ missingScopes: ['orders:read'], text: MISSING_SCOPES_TEXT })
    model.answerInTurn({ calls: [call('list_orders')] }, { status: 400, raw: '{}' })
    expect(await run()).toMatchObject({ missingScopes: ['orders:read'], text: MISSING_SCOPES_TEXT })
  })

  it('holds back what changes something once a permission is missing: in the same answer, before it and after it', async () => {
    const cancel = call('cancel_order', { number: 'A-1' })
    model.answerInTurn(
      { calls: [cancel, call('refund', { number: 'A-1' }), cancel] },
      { calls: [cancel, call('ticket', { number: 'A-1' }), call('find_order', { number: 'A-1' })] },
      { text: 'May I refund?' },
    )
    const outcome = await run({ access: as('orders:read', 'orders:cancel') })
    expect(outcome).toMatchObject({ missingScopes: ['refunds:issue'], actions: [{ tool: 'find_order' }] })
    expect(paths()).toEqual(['GET /find_order?number=A-1'])
  })

  it('tells in the step-up what was allowed and done before', async () => {
    model.answerInTurn(
      { calls: [call('cancel_order', { number: 'A-1' })] },
      { calls: [call('refund', { number: 'A-1' })] },
      { text: 'May I refund?' },
    )
    expect(await run({ access: as('orders:cancel') })).toMatchObject({
      missingScopes: ['refunds:issue'],
      actions: [{ tool: 'cancel_order', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:cancel'],
    })
  })

  it('looks again before each call: a scope that is taken back is missing from then on', async () => {
    const held = new Set(['orders:read', 'orders:cancel'])
    api.answerWith(() => {
      held.delete('orders:cancel')
      return { json: {} }
    })
    const access = { ...as('orders:read', 'orders:cancel'), scopesNow: async () => new Set(held) }
    model.answerInTurn(
      { calls: [call('list_orders'), call('cancel_order', { number: 'A-1' })] },
      { text: 'May I?' },
    )
    expect(await run({ access })).toMatchObject({
      missingScopes: ['orders:cancel'],
      actions: [{ tool: 'list_orders' }],
    })
    expect(paths()).toEqual(['GET /list_orders'])
  })

  it('a token that ends before anything was called ends the turn; after that, nothing is called any more', async () => {
    const wishes = [call('list_orders'), call('cancel_order', { number: 'A-1' }), call('hours')]
    model.answerInTurn({ calls: wishes }, { text: 'Your permission has ended.' })
    const gone = { ...as('orders:read', 'orders:cancel'), scopesNow: async () => undefined }
    expect(await run({ access: gone })).toEqual({ tokenEnded: true })
    expect(paths()).toEqual([])
    let live: ReadonlySet<string> | undefined = gone.scopes
    api.answerWith(() => {
      live = undefined
      return { json: {} }
    })
    model.answerInTurn({ calls: wishes }, { text: 'Your permission has ended.' })
    expect(await run({ access: { ...gone, scopesNow: async () => live } })).toMatchObject({
      reply: 'Your permission has ended.',
      actions: [{ tool: 'list_orders' }],
    })
    expect(paths()).toEqual(['GET /list_orders'])
  })
})

describe('a message that runs again after a step-up', () => {
  const cancel = (number: string) => call('cancel_order', { number })
  const keys = () => api.calls.map(({ headers }) => headers['idempotency-key'])

  it('makes the same calls under the same keys, wherever they stand, and others under others', async () => {
    const access = as('orders:read', 'orders:cancel')
    model.answerInTurn({ calls: [cancel('A-1'), cancel('A-2'), cancel('A-1')] }, { text: 'Done.' })
    await run({ access })
    const first = keys()
    expect(new Set(first).size).toBe(3)
    api.calls.length = 0
    model.answerInTurn(
      { calls: [call('list_orders')] },
      { calls: [cancel('A-2'), cancel('A-1')] },
      { text: 'Done.' },
    )
    await run({ access })
    expect(keys().slice(1)).toEqual([first[1], first[0]])
    api.calls.length = 0
    model.answerInTurn({ calls: [cancel('A-1')] }, { text: 'Done.' })
    await run({ access, messageId: 'm-2' })
    expect(first).not.toContain(keys()[0])
  })
})

describe('the window', () => {
  it('is asked for as much history as fits beside all else, and for none where nothing does', async () => {
    const asked: number[] = []
    const history = async (maxBytes: number) => {
      asked.push(maxBytes)
      return []
    }
    model.answerInTurn({ text: 'Yes.' })
    await run({ history }, { contextTokens: 8_000, maxOutputTokens: 1_000 })
    await run({ history, text: 'x'.repeat(10_000) }, { contextTokens: 8_000, maxOutputTokens: 1_000 })
    await run({ history }, { contextTokens: 8_000, maxOutputTokens: 8_000 })
    const [much = 0, less = 0, ...none] = asked
    expect(much).toBeGreaterThan(17_000)
    expect(much).toBeLessThan(21_000)
    expect(much - less).toBe(10_000 - 'Hello'.length)
    expect(none).toEqual([])
    expect(lastMessages().map(({ role }) => role)).toEqual(['system', 'user'])
  })
})

describe('a model that answers nonsense', () => {
  const failed = 'Our assistant is not available.'

  it.each([
    ['HTML', '[[html]]'],
    ['half a JSON', '[[broken]]'],
    ['nothing', '[[nothing]]'],
    ['no words', '[[empty]]'],
    ['two megabytes', '[[huge 2]]'],
    ['a redirect', '[[redirect https://elsewhere.example/]]'],
    ['status 401', '[[status 401]]'],
    ['status 429', '[[status 429]]'],
    ['status 500', '[[status 500]]'],
    ['half of it', '[[cut]]'],
    ['never', '[[hang]]'],
    ['too late', '[[slow 3000]]'],
  ])(
    '%s: the reply is the Brand’s own, or the turn fails, and the log knows no word of it',
    async (_, text) => {
      const obedient = await startModel()
      const settings = { endpoint: obedient.url, timeLimitSeconds: 2 }
      const outcome = await run(
        { text: `${text} my secret`, secret: async () => 'sk-1' },
        { ...settings, failed },
      )
      expect(outcome).toMatchObject({ reply: failed, actions: [], fault: { name: 'ModelFailure' } })
      const { message, cause } = (outcome as { fault: Error }).fault
      expect(`${message} ${cause}`).not.toMatch(/sk-1|secret|assistant of a shop/)
      const failure = await run({ text, secret: async () => 'sk-1' }, settings).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(AgentFailedError)
      expect(failure).toMatchObject({ cause: { name: 'ModelFailure' } })
      await obedient.close()
    },
  )

  it.each([
    ['NUL bytes', { text: '\0a\0b\0' }, 'ab'],
    ['lone surrogates', { text: 'a\uD83Db\uD83D' }, 'a\uFFFDb'],
    ['100 KiB', { text: 'é'.repeat(50_000) }, 'é'.repeat(16_384)],
  ])('%s: the reply is what can be stored of it', async (_, answer, reply) => {
    model.answerInTurn(answer)
    expect(await run()).toMatchObject({ reply })
  })

  it('an endpoint that is busy for a moment is asked once more, and nothing is called twice', async () => {
    model.answerInTurn(
      { calls: [call('cancel_order', { number: 'A-1' })] },
      { status: 503, raw: '{}' },
      { text: 'Cancelled.' },
    )
    expect(await run({ access: as('orders:cancel') })).toMatchObject({ reply: 'Cancelled.' })
    expect(api.calls).toHaveLength(1)
  })

  it('after something was changed, the reply says so and the receipt tells what', async () => {
    model.answerInTurn({ calls: [call('cancel_order', { number: 'A-1' })] }, { raw: 'nonsense' })
    expect(await run({ access: as('orders:cancel') }, { failed })).toMatchObject({
      reply: BROKEN_OFF_TEXT,
      actions: [{ tool: 'cancel_order' }],
      fault: { name: 'ModelFailure' },
    })
  })

  it('an endpoint on this machine is asked only where that is allowed', async () => {
    const outcome = run({}, { endpoint: 'https://localhost:1/v1' }).catch((error: unknown) => error)
    expect(await outcome).toMatchObject({ cause: { message: "The model's endpoint: unreachable" } })
    const inside = run({}, { endpoint: 'https://intranet.invalid/v1' }).catch((error: unknown) => error)
    expect(await inside).toMatchObject({ cause: { name: 'ModelFailure' } })
  })
})
