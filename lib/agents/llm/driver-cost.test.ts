import { expect, it } from 'vitest'
import { measureCpu } from '#e2e/harness/cpu-cost.ts'
import { startModelProcess } from '#e2e/harness/model-process.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

const past = Array.from({ length: 20 }, (_, n) => ({
  text: `Are you open on Sunday? ${n}`,
  reply: 'We are open from Monday to Friday, 8:00 to 18:00. At the weekend the emergency number is 555 0142.',
}))

const tools = Array.from({ length: 20 }, (_, n) =>
  toolSchema({ allowLoopback: false }).parse({
    name: `find_${n}`,
    description: 'Finds an order by its number, with what was ordered, when it was sent and where it is now.',
    scope: 'orders:read',
    arguments: {
      type: 'object',
      properties: { number: { type: 'string', pattern: '^A-[0-9]{1,8}$' }, user: { type: 'string' } },
      required: ['number', 'user'],
    },
    userArgument: 'user',
    request: { method: 'GET', url: 'https://api.example/orders/{number}' },
  }),
)
const held = new Set(['orders:read'])
const access = { brandUserId: 'jane', scopes: held, token: 'a.b.c', scopesNow: async () => held }

it.each([
  ['a turn with twenty turns before it', [], 'And on Saturday?', 1],
  [
    'one with twenty tools besides, that calls one and asks again',
    tools,
    '[[call find_3 {"number":"A-1"}]]',
    2,
  ],
])(
  '%s costs less than 5 ms beside what the model takes, each time that is asked',
  async (_, offered, text, asks) => {
    const { url, stop } = await startModelProcess()
    const settings = {
      driver: 'llm',
      endpoint: url,
      model: 'willow-lane',
      instructions: 'Be polite. '.repeat(600),
    }
    const agent = buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), offered)
    const request = turnRequest({
      text,
      history: async () => past,
      access,
      callApi: async () => ({ ok: true, status: 200, value: { state: 'shipped' } }),
    })
    expect(await runTurn(agent, request)).toMatchObject({ actions: { length: asks - 1 } })
    const cost = await measureCpu(() => runTurn(agent, request))
    stop()
    expect(cost).toBeLessThan(5 * asks)
  },
)
