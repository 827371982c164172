import { describe, expect, it } from 'vitest'
import { sumCheck } from './checks/check-sum.ts'
import { toRuleRow } from './rule-row-values.ts'
import { sumRule } from './rule-sum.ts'
import { blankTool } from './tools/blank-tool.ts'
import { sumTool } from './tools/tool-sum.ts'

describe('the line that a folded row leaves', () => {
  it('says what a rule listens for, what it calls, and what that needs', () => {
    const rule = toRuleRow({
      when: { words: ['a', 'b', 'c', 'd', 'e'], match: '\\d+', state: 'asked' },
      call: [{ tool: 'list_orders' }, { tool: 'ping', as: 'p' }],
      reply: 'x',
      close: true,
    })
    expect(
      sumRule(rule, {
        list_orders: { scope: 'orders:read', arguments: [] },
        ping: { scope: '', arguments: [] },
      }),
    ).toEqual({
      title: '“a”, “b”, “c”, “d” and 1 more',
      notes: [
        '/\\d+/',
        'where state is asked',
        'calls list_orders, ping',
        'needs orders:read',
        'ends the conversation',
      ],
    })
    expect(sumRule(toRuleRow({ when: {}, reply: 'x' }), {})).toEqual({ title: 'Always', notes: [] })
  })

  it('says what a tool requests, and for whom', () => {
    const request = { ...blankTool.request, url: 'https://api.example/orders' }
    expect(sumTool({ ...blankTool, name: 'list', request, scope: 'orders:read' })).toEqual({
      title: 'list',
      notes: ['GET https://api.example/orders', 'needs orders:read'],
    })
    expect(sumTool(blankTool)).toEqual({ title: 'A new tool', notes: ['for everybody'] })
  })

  it.each([
    ['', 'without a token'],
    ['-', 'with a token, no scope'],
    ['orders:read', 'with orders:read'],
  ])('says what the User of a check has allowed: %s', (scopes, note) => {
    expect(sumCheck({ name: 'n', scopes, turns: '', answers: '' })).toEqual({ title: 'n', notes: [note] })
  })
})
