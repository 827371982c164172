import { describe, expect, it } from 'vitest'
import { scriptedAgentSchema } from './scripted-schema.ts'
import { findUnsetVariables } from './unset-variables.ts'

function find(rules: unknown[], fallback = 'Sorry.') {
  return findUnsetVariables(scriptedAgentSchema.parse({ driver: 'scripted', rules, fallback }))
}

describe('what a template shows though nothing sets it', () => {
  it('is the result of a call that has no name, a group that its pattern lacks, a variable that no rule remembers', () => {
    const rules = [
      {
        when: { words: ['a'] },
        call: [{ tool: 'orders' }],
        reply: '{{ order.state }} and {{ order.state }}',
      },
      { when: { match: '(?<number>\\d+)' }, reply: '{{ match.number }} {{ match.nubmer }} {{ name }}' },
    ]
    expect(find(rules, '{{ match.number }} {{ name }} {{ match.other }} {{ name }}')).toEqual([
      { rule: 1, variables: ['order.state'] },
      { rule: 2, variables: ['match.nubmer', 'name'] },
      { rule: undefined, variables: ['match.other', 'name'] },
    ])
  })

  it('is a member of what is only a text, and what rules only forget', () => {
    const rules = [
      {
        when: { words: ['a'] },
        set: { order: '{{ text }}', name: null },
        reply: '{{ order }} {{ order.size }}',
      },
      {
        when: { words: ['b'] },
        call: [{ tool: 'orders' }],
        reply: '{{ order.state }} {{ text.number }} {{ name }}',
      },
    ]
    expect(find(rules)).toEqual([{ rule: 2, variables: ['order.state', 'text.number', 'name'] }])
  })

  it('is nothing that the template makes itself, wherever it does', () => {
    const reply = `
      {% for o in orders.list offset: continue %}
        {% if o.day != day %}{{ o.day }}{% endif %}{% assign day = o.day %}{% assign n = n | plus: 1 %}
        {{ forloop.index }} {% capture line %}{{ o.id }}{% endcapture %}{{ line }} {% increment count %}
      {% endfor %}
      {% tablerow p in (1..orders.count) %}{{ p }}{% endtablerow %}{% cycle 'a', 'b' %}
      {{ "abc".size }} {% if orders.list == empty or orders.none == nil %}{{ true }}{% endif %}
      {{ orders.name | default: "there" }} {% raw %}{{ nothing }}{% endraw %}`
    expect(find([{ when: {}, call: [{ tool: 'orders', as: 'orders' }], reply }])).toEqual([])
  })

  it('is nothing that the fallback finds where it stands in for a rule', () => {
    const rules = [
      { when: { match: '(?<number>\\d+)' }, call: [{ tool: 'orders', as: 'order' }], reply: 'x' },
    ]
    expect(
      find(rules, '{% if failure %}{{ failure.tool }}{% endif %}{{ match.number }} {{ order.state }}'),
    ).toEqual([])
  })

  it('is nothing that a call, the pattern, the text, another rule or the template itself gives', () => {
    const rules = [
      {
        when: { match: '(?<number>\\d+)' },
        call: [
          {
            tool: 'orders',
            arguments: { number: '{{ match.number }}', said: '{{ text }}', limit: 5 },
            as: 'order',
          },
          { tool: 'parcel', arguments: { id: '{{ order.parcel }}' }, as: 'parcel' },
        ],
        missingScopes: 'For {{ match.number }} I need your permission.',
        failed: '{{ failure.status }} {{ order.state }}',
        set: { number: '{{ order.number }}', asked: true },
        reply:
          '{% assign x = 1 %}{% for line in order.lines %}{{ line.name }} {{ x }}{% endfor %}{{ parcel }}',
      },
      { when: {}, reply: '{{ number }}{% if asked %}, {{ match }}{% endif %}' },
    ]
    expect(find(rules, '{{ number }} {{ text }}')).toEqual([])
  })

  it('is what a call is given before it is there', () => {
    const call = [
      { tool: 'parcel', arguments: { id: '{{ order.parcel }}' } },
      { tool: 'orders', as: 'order' },
    ]
    const rules = [{ when: {}, call, failed: '{{ failure.tool }}', reply: '{{ order }} {{ failure.tool }}' }]
    expect(find(rules)).toEqual([{ rule: 1, variables: ['order.parcel', 'failure.tool'] }])
  })
})
