import { describe, expect, it } from 'vitest'
import { buildArgumentCheck, findSchemaFault, type ToolArguments } from './argument-schema.ts'

const schema = {
  type: 'object',
  properties: {
    number: { type: 'string', pattern: '^A-\\d+$' },
    count: { type: 'integer', minimum: 1 },
    gift: { type: 'boolean' },
  },
  required: ['number'],
  additionalProperties: false,
}

describe('the JSON Schema of arguments', () => {
  it('accepts what it describes', () => {
    expect(buildArgumentCheck(schema)({ number: 'A-1', count: 2, gift: true })).toBeUndefined()
  })

  it.each([
    [{}, "must have required property 'number'"],
    [{ number: 'B-1' }, 'must match pattern'],
    [{ number: 'A-1', other: 1 }, 'must NOT have additional properties'],
    [{ number: 'A-1', count: 0 }, 'must be >= 1'],
    [{ number: 'A-1', count: 'two' }, 'must be integer'],
  ])('says what is wrong with %j', (values, fault) => {
    expect(buildArgumentCheck(schema)({ ...values })).toContain(fault)
  })

  it('makes numbers and booleans of text, because templates render text', () => {
    const values: ToolArguments = { number: 'A-1', count: '3', gift: 'false' }
    expect(buildArgumentCheck(schema)(values)).toBeUndefined()
    expect(values).toEqual({ number: 'A-1', count: 3, gift: false })
  })

  it('a tool without a schema takes no arguments', () => {
    expect(buildArgumentCheck()({})).toBeUndefined()
    expect(buildArgumentCheck()({ a: 1 })).toContain('must NOT have additional properties')
  })

  it('a pattern answers in time, however hostile the text is', () => {
    const check = buildArgumentCheck({
      type: 'object',
      properties: { a: { type: 'string', pattern: '(a+)+$' } },
    })
    const before = performance.now()
    check({ a: `${'a'.repeat(30_000)}!` })
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('two tools may use the same $id', () => {
    const named = (type: string) => ({ $id: 'args', type: 'object', properties: { a: { type } } })
    expect(buildArgumentCheck(named('number'))({ a: 'x' })).toContain('must be number')
    expect(buildArgumentCheck(named('string'))({ a: 'x' })).toBeUndefined()
  })

  it.each([
    [{ type: 'array' }, 'must be a JSON Schema of type "object"'],
    [{}, 'must be a JSON Schema of type "object"'],
    [{ type: 'object', requried: ['a'] }, 'unknown keyword'],
    [{ type: 'object', required: 'a' }, 'must be array'],
    [{ type: 'object', properties: { a: { type: 'text' } } }, 'must be equal to one of the allowed values'],
    [
      { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
      "can't resolve reference",
    ],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '(?<=a)b' } } }, 'is not a usable'],
  ])('%j is refused', (wrong, fault) => {
    expect(findSchemaFault(wrong)).toContain(fault)
  })

  it('formats are notes, as JSON Schema 2020-12 has them', () => {
    expect(
      findSchemaFault({ type: 'object', properties: { day: { type: 'string', format: 'date' } } }),
    ).toBeUndefined()
  })
})
