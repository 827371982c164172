import { describe, expect, it } from 'vitest'
import { agentSchema } from '#lib/agents/schema.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { AgentForm } from './agent-form.ts'
import { readPairs, readValue, showValue } from './pair-values.ts'

describe('a value of a field', () => {
  it.each([
    ['{{ match.number }}', '{{ match.number }}'],
    ['5', 5],
    ['-0.5', -0.5],
    ['true', true],
    ['null', null],
    ['"5"', '5'],
    ['"', '"'],
    ['05', '05'],
    ['1e3', '1e3'],
    ['12345678901234567890', '12345678901234567890'],
    [' 5 ', 5],
    [' true', true],
    [' "5" ', '5'],
    ['"a\\nb"', 'a\nb'],
    ['"a" and "b"', undefined],
    ['"say "hi""', undefined],
    ['"a\nb"', undefined],
  ])('%s is read as %j', (text, value) => expect(readValue(text)).toBe(value))

  it.each([
    '',
    ' ',
    '5',
    '-1',
    'true',
    'null',
    '"5"',
    '"',
    ' 5',
    '"a',
    ' "a"',
    'a\nb',
    '\n"a"\nb',
    'a\r\nb',
    ' {{ text }}\n',
    '"a" and "b"',
    7,
    1e21,
    false,
    null,
  ])('is shown so that it comes back: %j', (value) => {
    expect(showValue(value)).not.toContain('\r')
    expect(readValue(showValue(value))).toBe(value)
  })
})

function formOf(pairs: [string, string][]): AgentForm {
  const data = new FormData()
  for (const [index, [name, value]] of pairs.entries()) {
    data.set(`set[${index}].name`, name)
    data.set(`set[${index}].value`, value)
  }
  return new AgentForm(data)
}

it('shows a value of several lines as it is', () => {
  expect(showValue('Dear {{ name }},\n"hello"')).toBe('Dear {{ name }},\n"hello"')
})

describe('pairs of a form', () => {
  it('are a map, without the rows that nobody filled in', () => {
    expect(
      readPairs(
        formOf([
          ['a', '1'],
          ['', ''],
          ['b', ''],
        ]),
        'set',
      ),
    ).toEqual({ a: 1, b: '' })
    expect(readPairs(formOf([['', '']]), 'set')).toBeUndefined()
  })

  it('say what is wrong at the row that it is about', () => {
    const form = formOf([
      ['a', '1'],
      ['', 'x'],
      ['a', '2'],
    ])
    readPairs(form, 'set')
    expect(form.findings).toEqual([
      { path: ['set', 1, 'name'], reason: 'is required' },
      { path: ['set', 2, 'name'], reason: 'is there twice' },
    ])
    const fault = { path: ['set', 'a'], reason: 'is no template' }
    expect(form.atFields([fault])).toEqual([{ ...fault, path: ['set', 2, 'value'] }])
  })

  it('say of a value in quotes that it can not be read, and store nothing else', () => {
    const form = formOf([['a', '"say "hi""']])
    readPairs(form, 'set')
    expect(form.findings).toMatchObject([
      { path: ['set', 0, 'value'], reason: expect.stringContaining('no text in quotes') },
    ])
  })

  it('say at the name what is wrong with the name', () => {
    const form = formOf([['order-id', '1']])
    const set = readPairs(form, 'set')
    const agent = { driver: 'scripted', rules: [{ when: {}, set, reply: 'x' }], fallback: 'x' }
    const checked = checkSchema(agentSchema, agent)
    const findings = checked.ok ? [] : checked.findings.map((each) => ({ ...each, path: each.path.slice(2) }))
    expect(form.atFields(findings)).toMatchObject([{ path: ['set', 0, 'name'] }])
  })
})
