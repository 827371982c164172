import { expect, it } from 'vitest'
import { noUsage } from '../agent.ts'
import type { RehearsedCall, RehearsedTurn } from '../rehearsal.ts'
import { checkedTurnOf } from './checked-turn-of.ts'
import { judgeTurn } from './judge-turn.ts'

const quiet: RehearsedTurn = {
  reply: 'Here.',
  fault: undefined,
  missingScopes: [],
  close: false,
  state: {},
  steps: [],
  calls: [],
  actions: [],
  scopesUsed: [],
  usage: noUsage(),
  time: 1,
}
const callOf = (tool: string, values: RehearsedCall['arguments']): RehearsedCall => ({
  tool,
  arguments: values,
  method: 'GET',
  url: 'https://api.example/',
  body: undefined,
  answer: { ok: true, status: 200, value: {} },
})

it('what a check wants of a tried turn is what the turn did, and it passes for that', () => {
  const turn = {
    ...quiet,
    calls: [callOf('list', { user: 'user-1', state: 'open' }), callOf('ping', { user: 'user-1' })],
    close: true,
  }
  const wanted = checkedTurnOf('My orders', turn, { id: 'user-1' })
  expect(wanted).toEqual({
    say: 'My orders',
    calls: [{ tool: 'list', arguments: { state: 'open' } }, { tool: 'ping' }],
    closes: true,
  })
  const other = {
    ...turn,
    calls: [callOf('list', { user: 'check-user', state: 'open' }), callOf('ping', {})],
  }
  expect(judgeTurn(wanted, other, new Set(['list', 'ping']))).toEqual([])
  expect(judgeTurn(wanted, quiet, new Set())).toHaveLength(2)
})

it('a step-up is one in the check too, and a bot’s calls are those that it told of', () => {
  const asked = checkedTurnOf('Cancel it', { ...quiet, missingScopes: ['orders:cancel'] }, undefined)
  expect(asked).toEqual({ say: 'Cancel it', calls: [], stepUp: ['orders:cancel'] })
  const bot = { kind: 'bot', time: 1, url: 'https://bot.example', call: {}, answer: {} } as const
  const told = { ...quiet, steps: [bot], actions: [{ tool: 'list', argsHash: 'x' }] }
  expect(checkedTurnOf('Hi', told, undefined).calls).toEqual([{ tool: 'list' }])
})

it('a bot’s calls are not looked at where a check could not name one of them', () => {
  const bot = { kind: 'bot', time: 1, url: 'https://bot.example', call: {}, answer: {} } as const
  const told = { ...quiet, steps: [bot], actions: [{ tool: 'list' }, { tool: 'list-orders' }] }
  const wanted = checkedTurnOf('Hi', told, undefined)
  expect(wanted).toEqual({ say: 'Hi' })
  expect(judgeTurn(wanted, told, new Set())).toEqual([])
})
