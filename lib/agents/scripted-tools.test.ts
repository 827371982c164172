import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { Access, AgentState } from './agent.ts'
import { buildAgent } from './build-agent.ts'
import { BROKEN_OFF_TEXT } from './fixed-texts.ts'
import { runTurn } from './run-turn.ts'
import { scriptedAgentSchema } from './scripted-schema.ts'
import { hashArguments } from './tools/arguments-hash.ts'
import { buildIdempotencyKey } from './tools/call-tool.ts'
import { toolSchema } from './tools/schema.ts'
import { ToolFailedError } from './tools/tool-failed-error.ts'

let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.calls.length = 0
  api.answerWith(({ path }) => ({
    json: path === '/orders' ? { orders: [{ number: 'A-1', status: 'packed' }] } : { refund: '12 EUR' },
  }))
})

function tools() {
  const args = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
  return [
    { name: 'list', scope: 'orders:read', request: { method: 'GET', url: `${api.origin}/orders` } },
    {
      name: 'cancel',
      scope: 'orders:cancel',
      changes: true,
      arguments: args,
      request: { method: 'POST', url: `${api.origin}/orders/{number}/cancel` },
    },
    { name: 'hours', request: { method: 'GET', url: `${api.origin}/hours` } },
  ].map((tool) => toolSchema({ allowLoopback: true }).parse({ description: 'A tool.', ...tool }))
}

const cancelRule = {
  when: { match: 'cancel (?<number>\\S+)' },
  call: [
    { tool: 'list', as: 'orders' },
    {
      tool: 'cancel',
      arguments: { number: '{{ match.number }}' },
      as: 'cancelled',
    },
  ],
  missingScopes: 'I need permission to cancel {{ match.number }}.',
  set: { last: '{{ match.number }}', refund: '{{ cancelled.refund }}' },
  reply: '{{ orders.orders[0].number }} is cancelled. {{ cancelled.refund }}',
}

function accessTo(...scopes: string[]): Access {
  const held = new Set(scopes)
  return { brandUserId: 'jane', scopes: held, token: 'a.b.c', scopesNow: async () => held }
}

function ask(rule: unknown, text: string, access?: Access, state: AgentState = {}) {
  const settings = { driver: 'scripted', rules: [rule], fallback: 'Fallback.', timeLimitSeconds: 0.5 }
  const agent = buildAgent(scriptedAgentSchema.parse(settings), tools())
  return runTurn(agent, turnRequest({ text, state, access }))
}

it('a rule that calls is never answered at once, with or without a scope', () => {
  const hours = {
    when: { words: ['hours'] },
    call: [{ tool: 'hours', as: 'hours' }],
    reply: 'At {{ hours.open }}.',
  }
  const settings = { driver: 'scripted', rules: [cancelRule, hours], fallback: 'Fallback.' }
  const agent = buildAgent(scriptedAgentSchema.parse(settings), tools())
  const saying = (text: string) => agent.answerAtOnce?.({ text, state: {} })
  expect([saying('cancel A-1'), saying('hours?')]).toEqual([undefined, undefined])
  expect(saying('hello')).toMatchObject({ reply: 'Fallback.', actions: [] })
  expect(api.calls).toEqual([])
})

describe('§5.5 the scopes that a rule needs are known before it runs', () => {
  it('without a token the turn steps up, and nothing is called', async () => {
    expect(await ask(cancelRule, 'cancel A-1')).toEqual({
      missingScopes: ['orders:read', 'orders:cancel'],
      text: 'I need permission to cancel A-1.',
    })
    expect(api.calls).toEqual([])
  })

  it('with a token that lacks one of them only that one is missing, and nothing is called', async () => {
    expect(await ask(cancelRule, 'cancel A-1', accessTo('orders:read', 'other'))).toMatchObject({
      missingScopes: ['orders:cancel'],
    })
    expect(api.calls).toEqual([])
  })

  it.each([undefined, '{{ nothing }}'])(
    'says so in words of its own where the rule has none (%s)',
    async (text) => {
      const outcome = await ask({ ...cancelRule, missingScopes: text }, 'cancel A-1')
      expect(outcome).toMatchObject({ text: 'I need your permission for that.' })
    },
  )

  it('a capability without a scope stays available under §3, without a token for the Brand', async () => {
    const rule = { when: {}, call: [{ tool: 'hours', as: 'hours' }], reply: 'Open at {{ hours.open }}.' }
    api.answerWith(() => ({ json: { open: 8 } }))
    expect(await ask(rule, 'hours?')).toEqual({
      reply: 'Open at 8.',
      state: {},
      close: false,
      actions: [{ tool: 'hours' }],
      scopesUsed: [],
    })
    expect(api.calls[0]?.headers.authorization).toBeUndefined()
  })
})

describe('a rule that calls tools', () => {
  const all = accessTo('orders:read', 'orders:cancel')

  it('calls them in order, and shows their answers to its templates', async () => {
    expect(await ask(cancelRule, 'cancel A-1', all)).toEqual({
      reply: 'A-1 is cancelled. 12 EUR',
      state: { last: 'A-1', refund: '12 EUR' },
      close: false,
      actions: [{ tool: 'list' }, { tool: 'cancel', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:read', 'orders:cancel'],
    })
    expect(api.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /orders',
      'POST /orders/A-1/cancel',
    ])
    expect(api.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
      buildIdempotencyKey('c-1', 'm-1', 0),
      buildIdempotencyKey('c-1', 'm-1', 1),
    ])
  })

  it('may take arguments from earlier answers and from what is remembered', async () => {
    const rule = {
      ...cancelRule,
      call: [
        { tool: 'list', as: 'orders' },
        { tool: 'cancel', arguments: { number: '{{ orders.orders[0].number }}-{{ last }}' } },
      ],
    }
    await ask(rule, 'cancel it', all, { last: 7 })
    expect(api.calls[1]?.path).toBe('/orders/A-1-7/cancel')
  })

  it('never treats an answer as a template', async () => {
    api.answerWith(() => ({ json: { refund: '{{ text }}', orders: [{ number: '{% raw %}' }] } }))
    expect(await ask(cancelRule, 'cancel A-1', all)).toMatchObject({
      reply: '{% raw %} is cancelled. {{ text }}',
    })
  })

  it('falls back where a call fails that changes nothing, makes no later call, and tells the log', async () => {
    api.answerWith(() => ({ status: 500 }))
    expect(await ask(cancelRule, 'cancel A-1', all)).toEqual({
      reply: 'Fallback.',
      state: {},
      close: false,
      actions: [{ tool: 'list' }],
      scopesUsed: ['orders:read'],
      fault: new ToolFailedError('list', 'status 500'),
    })
    expect(api.calls).toHaveLength(1)
  })

  it('answers in the rule’s words for a failed call; nothing is remembered, every call is an action', async () => {
    const rule = {
      ...cancelRule,
      failed: '{{ failure.tool }}: {{ failure.body.why }} ({{ failure.status }})',
    }
    api.answerWith(({ path }) =>
      path === '/orders' ? { json: { orders: [] } } : { status: 409, json: { why: 'it has shipped' } },
    )
    expect(await ask(rule, 'cancel A-1', all, { last: 'A-0' })).toEqual({
      reply: 'cancel: it has shipped (409)',
      state: { last: 'A-0' },
      close: false,
      actions: [{ tool: 'list' }, { tool: 'cancel', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:read', 'orders:cancel'],
    })
  })

  it('a call that was not made is no action', async () => {
    const rule = { ...cancelRule, failed: 'That is no order number.' }
    expect(await ask(rule, 'cancel ..', all)).toMatchObject({
      reply: 'That is no order number.',
      actions: [{ tool: 'list' }],
      scopesUsed: ['orders:read'],
    })
  })

  describe('once something may have changed', () => {
    const endless = '{% for i in (1..1000000000) %}x{% endfor %}'
    const brokenOff = {
      reply: BROKEN_OFF_TEXT,
      close: false,
      actions: [{ tool: 'list' }, { tool: 'cancel', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:read', 'orders:cancel'],
    }

    it.each([
      ['the call failed', {}, { status: 500 }],
      ['the call failed, and the words for it can’t be rendered', { failed: endless }, { status: 500 }],
      ['the reply can’t be rendered', { reply: endless }, { json: {} }],
      ['the reply is blank', { reply: '{{ cancelled.refund }}' }, { status: 204 }],
    ])('the turn is answered, and tells what was sent, though %s', async (_, change, answer) => {
      api.answerWith(({ path }) => (path === '/orders' ? { json: { orders: [] } } : answer))
      const outcome = await ask({ ...cancelRule, ...change }, 'cancel A-1', all)
      expect(outcome).toMatchObject(brokenOff)
      expect(outcome).toHaveProperty('fault')
    })

    it('a reply that a User’s long text makes endless is one of them', async () => {
      const reply =
        '{% assign a = text | split: "" %}{% for i in a %}{% for j in a %}{{ j }}{% endfor %}{% endfor %}'
      const outcome = await ask({ ...cancelRule, reply }, `cancel A-1 ${'x'.repeat(32_000)}`, all)
      expect(outcome).toMatchObject(brokenOff)
    })

    it('the reply stands where only what is to be remembered can’t be rendered', async () => {
      const outcome = await ask({ ...cancelRule, set: { last: endless } }, 'cancel A-1', all, { last: 'A-0' })
      expect(outcome).toMatchObject({ reply: 'A-1 is cancelled. 12 EUR', state: { last: 'A-0' } })
    })

    it('a call that gets no answer is answered in time, and its outcome is said to be unknown', async () => {
      api.answerWith(({ path }) => (path === '/orders' ? { json: {} } : new Promise(() => {})))
      const failed = '{{ failure.tool }}{% if failure.unknown %}: look before you ask again{% endif %}.'
      const outcome = await ask({ ...cancelRule, failed }, 'cancel A-1', all)
      expect(outcome).toMatchObject({ ...brokenOff, reply: 'cancel: look before you ask again.' })
      expect(await ask(cancelRule, 'cancel A-1', all)).toMatchObject(brokenOff)
    })
  })

  it('an argument that can’t be rendered is a call that was not made', async () => {
    const number = '{% for i in (1..1000000000) %}x{% endfor %}'
    const rule = { ...cancelRule, call: [{ tool: 'list' }, { tool: 'cancel', arguments: { number } }] }
    const outcome = { actions: [{ tool: 'list' }], scopesUsed: ['orders:read'] }
    expect(await ask(rule, 'cancel A-1', all)).toMatchObject({ reply: 'Fallback.', ...outcome })
    const words = { ...rule, failed: '{{ failure.tool }} failed.' }
    expect(await ask(words, 'cancel A-1', all)).toMatchObject({ reply: 'cancel failed.', ...outcome })
    expect(api.calls.every(({ path }) => path === '/orders')).toBe(true)
  })

  it('brings the delegation token to tools with a scope alone', async () => {
    const rule = { when: {}, call: [{ tool: 'hours' }, { tool: 'list' }], reply: 'Done.' }
    await ask(rule, 'hours?', all)
    expect(api.calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/hours', undefined],
      ['/orders', 'Bearer a.b.c'],
    ])
  })
})

describe('a tool’s settings', () => {
  const tool = {
    name: 'cancel',
    description: 'Cancels.',
    arguments: { type: 'object', properties: { number: { type: 'string' } } },
    request: { method: 'POST', url: 'https://api.example/orders/{number}' },
  }
  it.each([
    [{ request: { ...tool.request, url: 'https://api.example/{id}' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https://{number}.example/' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https:{number}.example/' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https:/{number}.example/' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https:///{number}.example/' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https:\\\\{number}.example/' } }, ['request', 'url']],
    [{ request: { ...tool.request, url: 'https://api.example:{number}/' } }, ['request', 'url']],
    [{ request: { ...tool.request, timeLimitSeconds: 0 } }, ['request', 'timeLimitSeconds']],
    [{ arguments: undefined }, ['request', 'url']],
    [{ arguments: { type: 'object', properties: { number: { type: 'text' } } } }, ['arguments']],
  ])('%j is refused where it is wrong', (change, path) => {
    const parsed = toolSchema({ allowLoopback: false }).safeParse({ ...tool, ...change })
    expect(parsed.error?.issues[0]?.path).toEqual(path)
  })
})
