import { describe, expect, it } from 'vitest'
import { compareAgents } from './compare-agents.ts'

const hello = { when: { words: ['hello'] }, reply: 'Hello.' }
const bye = { when: { words: ['bye'] }, reply: 'Bye.', close: true }
const list = {
  name: 'list_orders',
  description: 'Lists.',
  request: { method: 'GET', url: 'https://a.example' },
}
const agent = { driver: 'scripted', rules: [hello, bye], tools: [list], fallback: 'What?' }
const same = { lists: [], settings: [] }

describe('the difference of two agents', () => {
  it('is none where only members stand in another order, or an empty list is left out', () => {
    const { fallback, rules, driver } = agent
    const request = { url: list.request.url, method: 'GET' }
    const turned = {
      fallback,
      tools: [{ request, description: 'Lists.', name: 'list_orders' }],
      rules,
      driver,
    }
    expect(compareAgents(agent, turned)).toEqual(same)
    expect(compareAgents({ driver: 'llm' }, { driver: 'llm', tools: [] })).toEqual(same)
  })

  it('tells what was added, removed and changed, and of that the changed members alone', () => {
    const more = { ...list, name: 'cancel' }
    const after = {
      ...agent,
      fallback: 'Pardon?',
      rules: [{ ...hello, reply: 'Hi.' }],
      tools: [more, { ...list, scope: 'orders:read' }],
    }
    expect(compareAgents(agent, after)).toEqual({
      settings: [{ field: 'fallback', before: 'What?', after: 'Pardon?' }],
      lists: [
        {
          list: 'rules',
          reordered: false,
          entries: [
            { kind: 'changed', title: '1', fields: [{ field: 'reply', before: 'Hello.', after: 'Hi.' }] },
            { kind: 'removed', title: '2', value: bye },
          ],
        },
        {
          list: 'tools',
          reordered: false,
          entries: [
            { kind: 'added', title: 'cancel', value: more },
            {
              kind: 'changed',
              title: 'list_orders',
              fields: [{ field: 'scope', before: undefined, after: 'orders:read' }],
            },
          ],
        },
      ],
    })
  })

  it('does not call rules changed that only moved', () => {
    const first = { when: { state: 'asked' }, reply: 'Yes.' }
    expect(compareAgents(agent, { ...agent, rules: [first, hello, bye] }).lists).toEqual([
      { list: 'rules', reordered: false, entries: [{ kind: 'added', title: '1', value: first }] },
    ])
    expect(compareAgents(agent, { ...agent, rules: [bye, hello] }).lists).toEqual([
      { list: 'rules', reordered: true, entries: [] },
    ])
  })

  it('knows a rule with another condition by its place', () => {
    const rules = [{ ...hello, when: { words: ['hi'] } }, bye]
    expect(compareAgents(agent, { ...agent, rules }).lists).toEqual([
      {
        list: 'rules',
        reordered: false,
        entries: [
          {
            kind: 'changed',
            title: '1',
            fields: [{ field: 'when.words[0]', before: 'hello', after: 'hi' }],
          },
        ],
      },
    ])
  })
})
