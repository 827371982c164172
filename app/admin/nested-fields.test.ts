import { describe, expect, it } from 'vitest'
import { errorsAtFields, readNestedFields } from './nested-fields.ts'

function formOf(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('fields of a form whose names are paths', () => {
  it('become maps and lists', () => {
    const read = readNestedFields(
      formOf({ name: 'Loom', 'skills[0].id': 'a', 'skills[1].id': 'b', 'delegation.login.url': 'https://x' }),
    )
    expect(plain(read)).toEqual({
      name: 'Loom',
      skills: [{ id: 'a' }, { id: 'b' }],
      delegation: { login: { url: 'https://x' } },
    })
  })

  it('have lines that end as they were stored', () => {
    expect(plain(readNestedFields(formOf({ reply: 'a\r\nb\n' })))).toEqual({ reply: 'a\nb\n' })
  })

  it.each(['__proto__.polluted', 'a.__proto__.polluted', 'a[99999].b', ''])(
    'a name that makes no sense harms nothing: %s',
    (name) => {
      expect(() => readNestedFields(formOf({ [name]: 'x' }))).not.toThrow()
      expect(({} as { polluted?: string }).polluted).toBeUndefined()
    },
  )
})

describe('what is wrong', () => {
  it('stands at its field, at the field that holds it, at the first one that it holds, or names what it is about', () => {
    const data = formOf({
      'skills[0].tags': 'a,',
      'rules[3].caller': '',
      'rules[3].call[0].tool': 'x',
      domain: '',
    })
    const findings = [
      { path: ['skills', 0, 'tags', 1], reason: 'must not be blank' },
      { path: ['rules', 3, 'call'], reason: 'must have at most 10 entries' },
      { path: ['domain'], reason: 'is another Brand’s' },
      { path: ['skills', 0], reason: 'is there twice' },
      { path: ['agent', 'tools', 0, 'scope'], reason: 'is not one of the Brand’s scopes' },
    ]
    expect(errorsAtFields(findings, data)).toEqual({
      'skills[0].tags': ['must not be blank', 'is there twice'],
      'rules[3].call[0].tool': ['must have at most 10 entries'],
      domain: ['is another Brand’s'],
      '': ['agent.tools[0].scope: is not one of the Brand’s scopes'],
    })
  })
})
