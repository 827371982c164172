import { describe, expect, it, vi } from 'vitest'
import type { Agent, Turn, TurnOutcome } from '../agent.ts'
import { buildAgent } from '../build-agent.ts'
import { agentSchema } from '../schema.ts'
import { hashArguments } from '../tools/arguments-hash.ts'
import { toolSchema } from '../tools/schema.ts'
import { runChecks } from './run-checks.ts'
import { checkSchema } from './schema.ts'

const tools = [
  {
    name: 'list_orders',
    description: 'Lists orders.',
    scope: 'orders:read',
    request: { method: 'GET', url: 'https://api.example/orders' },
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order.',
    scope: 'orders:cancel',
    arguments: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    request: { method: 'POST', url: 'https://api.example/orders/{number}/cancel' },
  },
].map((tool) => toolSchema({ allowLoopback: false }).parse(tool))

const agent = buildAgent(
  agentSchema.parse({
    driver: 'scripted',
    rules: [
      {
        when: { match: 'cancel (?<number>A-\\d+)' },
        call: [
          { tool: 'list_orders', as: 'orders' },
          { tool: 'cancel_order', arguments: { number: '{{ match.number }}' } },
        ],
        failed: 'Failed: {{ failure.status }}',
        reply: '{{ match.number }} is cancelled. You have {{ orders.count }} orders.',
      },
      { when: { words: ['delivery'] }, set: { state: 'asked' }, reply: 'Which order?' },
      { when: { state: 'asked' }, reply: 'Tomorrow.', close: true },
    ],
    fallback: 'Hello.',
  }),
  tools,
)

const answers = { list_orders: { body: { count: 2 } }, cancel_order: { status: 204 } }
const both = ['orders:read', 'orders:cancel']

async function run(check: object) {
  const parsed = checkSchema.parse({ name: 'one', ...check })
  const checked = { agent, brandId: 'B', secret: async () => undefined }
  const [result] = await runChecks(checked, [parsed])
  if (!result) throw new Error('no result')
  return { passed: result.passed, faults: result.turns.flatMap(({ faults }) => faults), turns: result.turns }
}

const faults = async (check: object) => (await run(check)).faults

describe('a check', () => {
  it('passes where all is as it says', async () => {
    const calls = [{ tool: 'list_orders' }, { tool: 'cancel_order', arguments: { number: 'A-1' } }]
    const turns = [{ say: 'Cancel A-1', calls, has: ['a-1 IS cancelled', '2 orders'], hasNot: ['sorry'] }]
    expect(await run({ scopes: both, answers, turns })).toMatchObject({ passed: true, faults: [] })
  })

  it('says as whom it ran: nobody where it has no token', async () => {
    const turns = [{ say: 'hello' }]
    const run = async (check: object) => {
      const checked = { agent, brandId: 'B', secret: async () => undefined }
      return (await runChecks(checked, [checkSchema.parse({ name: 'one', turns, ...check })]))[0]?.user
    }
    expect(await run({ scopes: [] })).toEqual({ id: 'check-user' })
    expect(await run({})).toBeUndefined()
  })

  it('has turns that go on from each other', async () => {
    const turns = [
      { say: 'My delivery', has: ['Which order'] },
      { say: 'A-1', has: ['tomorrow'], closes: true },
    ]
    expect(await faults({ turns })).toEqual([])
    expect(await faults({ turns: [{ say: 'A-1', has: ['tomorrow'] }] })).toEqual([
      'the reply lacks “tomorrow”',
    ])
  })

  it('sees step-up, and none where it is not expected', async () => {
    const say = 'cancel A-1'
    expect(
      await faults({ scopes: ['orders:read'], answers, turns: [{ say, stepUp: ['orders:cancel'] }] }),
    ).toEqual([])
    expect(await faults({ answers, turns: [{ say, stepUp: both }] })).toEqual([])
    expect(await faults({ answers, turns: [{ say }] })).toEqual([
      'it asked for orders:cancel, orders:read instead of nothing',
    ])
    expect(await faults({ scopes: both, answers, turns: [{ say, stepUp: both }] })).toEqual([
      'it asked for nothing instead of orders:cancel, orders:read',
    ])
  })

  it.each([
    [{ calls: [] }, 'it called list_orders, cancel_order instead of nothing'],
    [{ calls: [{ tool: 'cancel_order' }] }, 'it called list_orders, cancel_order instead of cancel_order'],
    [
      { calls: [{ tool: 'list_orders' }, { tool: 'cancel_order', arguments: { number: 'A-2', why: null } }] },
      'cancel_order was called with number = "A-1" instead of "A-2"',
    ],
    [{ hasNot: ['Cancelled'] }, 'the reply has “Cancelled”'],
    [{ closes: true }, 'the conversation did not end'],
  ])('fails for %j', async (expected, fault) => {
    const turns = [{ say: 'cancel A-1', ...expected }]
    expect(await faults({ scopes: both, answers, turns })).toContain(fault)
  })

  it('says what the Brand’s API answers, also that it refuses', async () => {
    const refused = { ...answers, cancel_order: { status: 409, body: { error: 'shipped' } } }
    const turns = [{ say: 'cancel A-1', has: ['Failed: 409'] }]
    expect(await faults({ scopes: both, answers: refused, turns })).toEqual([])
  })

  it('fails where it has no answer for a call, which reaches nobody', async () => {
    const { turns, faults } = await run({ scopes: both, turns: [{ say: 'cancel A-1' }] })
    expect(faults).toEqual(['it called list_orders, for which the check has no answer'])
    expect(turns[0]?.turn.calls).toMatchObject([
      {
        tool: 'list_orders',
        method: 'GET',
        url: 'https://api.example/orders',
        answer: { ok: false, sent: false },
      },
    ])
    expect(turns[0]?.turn.actions).toEqual([])
  })

  it('says so where the conversation ends before it does', async () => {
    const turns = [{ say: 'My delivery' }, { say: 'A-1', closes: true }, { say: 'Thanks' }]
    expect(await run({ turns })).toMatchObject({
      passed: false,
      faults: ['the conversation ended before the check did'],
    })
  })

  it('begins no turn once the time for all of them is over, and says so', async () => {
    const said: string[] = []
    const slow: Agent = {
      timeLimit: 120_000,
      async run({ text, state }) {
        said.push(text)
        if (said.length > 1) vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 180_001)
        return { reply: 'Yes.', state, close: false, actions: [], scopesUsed: [] }
      },
    }
    const check = checkSchema.parse({ name: 'one', turns: [{ say: 'a' }, { say: 'b' }, { say: 'c' }] })
    const checked = { agent: slow, brandId: 'B', secret: async () => undefined }
    const [result] = await runChecks(checked, [check])
    vi.restoreAllMocks()
    expect(said).toEqual(['a', 'b'])
    expect(result).toMatchObject({
      passed: false,
      turns: [{ faults: [] }, { faults: ['there was no time for the rest of the check'] }],
    })
  })

  it('fails where the agent does', async () => {
    const broken = { timeLimit: 50, run: () => new Promise<never>(() => {}) }
    const checked = { agent: broken, brandId: 'B', secret: async () => undefined }
    const check = checkSchema.parse({ name: 'one', turns: [{ say: 'a' }, { say: 'b' }] })
    expect(await runChecks(checked, [check])).toMatchObject([
      { passed: false, turns: [{ faults: ['the turn failed: The agent did not answer within 50 ms'] }] },
    ])
  })

  describe('of the Brand’s own bot', () => {
    const args = { number: 'A-1', refund: true }
    const bot = {
      timeLimit: 1_000,
      async run({ trace, state }: Turn): Promise<TurnOutcome> {
        trace?.({ kind: 'bot', url: 'https://bot.example/', call: {}, answer: {}, time: 1 })
        const actions = [{ tool: 'list_orders' }, { tool: 'cancel_order', argsHash: hashArguments(args) }]
        return { reply: 'Done.', state, close: false, actions, scopesUsed: [] }
      },
    }
    const judge = async (calls: object[]) => {
      const check = checkSchema.parse({ name: 'one', turns: [{ say: 'a', calls }] })
      const [result] = await runChecks({ agent: bot, brandId: 'B', secret: async () => undefined }, [check])
      return result?.turns[0]?.faults
    }

    it.each([
      [[{ tool: 'list_orders' }, { tool: 'cancel_order' }]],
      [
        [
          { tool: 'list_orders', arguments: {} },
          { tool: 'cancel_order', arguments: args },
        ],
      ],
    ])('compares what it says it did with %j', async (calls) => {
      expect(await judge(calls)).toEqual([])
    })

    it.each([
      [[], 'it called list_orders, cancel_order instead of nothing'],
      [[{ tool: 'cancel_order' }], 'it called list_orders, cancel_order instead of cancel_order'],
      [
        [{ tool: 'list_orders' }, { tool: 'cancel_order', arguments: { number: 'A-1' } }],
        'cancel_order was called with other arguments than {"number":"A-1"}',
      ],
      [
        [{ tool: 'list_orders', arguments: { page: 1 } }, { tool: 'cancel_order' }],
        'list_orders was called with other arguments than {"page":1}',
      ],
      [
        [{ tool: 'list_orders' }, { tool: 'cancel_order', arguments: { number: '\ud800' } }],
        'cancel_order was called with other arguments than {"number":"\\ud800"}',
      ],
    ])('fails for %j', async (calls, fault) => {
      expect(await judge(calls)).toEqual([fault])
    })
  })

  it('is one of many, each with its own conversation', async () => {
    const checks = Array.from({ length: 10 }, (_, index) =>
      checkSchema.parse({
        name: `n${index}`,
        turns: [{ say: index % 2 ? 'delivery' : 'x', has: ['Which'] }],
      }),
    )
    const results = await runChecks({ agent, brandId: 'B', secret: async () => undefined }, checks)
    expect(results.map(({ name, passed }) => [name, passed])).toEqual(
      checks.map(({ name }, index) => [name, index % 2 === 1]),
    )
  })
})
