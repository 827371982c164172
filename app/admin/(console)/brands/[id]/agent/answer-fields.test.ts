import { expect, it } from 'vitest'
import { AgentForm, type AgentInput } from './agent-form.ts'
import { withRules } from './answer-fields.ts'
import { toRuleRow } from './rule-row-values.ts'

type Rules = NonNullable<Extract<AgentInput, { driver: 'scripted' }>['rules']>

const rules: Rules = [
  { when: { words: ['yes, please', 'of course'], state: 'asked' }, reply: 'Good.\n\n- one\n- two' },
  { when: { match: ' order$| \\bparcel ' }, reply: '  {{ text }}\n', close: true, delaySeconds: 1.5 },
  {
    when: {},
    call: [{ tool: 'list', arguments: { a: ' {{ text }}\n', b: null, c: 2 }, as: 'orders' }],
    set: { state: 'a: b', sure: true },
    missingScopes: 'May I?\nPlease. ',
    failed: ' Sorry.',
    reply: 'Here.',
  },
]

/** The fields of a value, by their names. */
function fieldsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => fieldsOf(`${name}[${index}]`, each))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([part, each]) => fieldsOf(`${name}.${part}`, each))
}

/** The form as a browser sends it: without boxes that are not checked, and with lines that end its own way. */
function send(rows: Rules): AgentForm {
  const data = new FormData()
  data.set('fallback', 'Hello.\r\n')
  for (const [index, rule] of rows.entries()) {
    const { close, ...row } = toRuleRow(rule)
    for (const [name, value] of fieldsOf(`rules[${index}]`, row))
      data.set(name, value.replaceAll('\n', '\r\n'))
    if (close) data.set(`rules[${index}].close`, 'on')
  }
  return new AgentForm(data)
}

it('rules that nobody touched come back from their form as they were', () => {
  const saved = withRules({ driver: 'scripted', rules, fallback: 'Hello.\n' }, send(rules))
  expect(saved).toEqual({ driver: 'scripted', rules, fallback: 'Hello.\n' })
})
