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

/** What is wrong with `values`, or what they become. */
function check(from: Parameters<typeof buildArgumentCheck>[0], values: ToolArguments) {
  const checked = buildArgumentCheck(from)(values)
  return checked.ok ? checked.values : checked.fault
}

describe('the JSON Schema of arguments', () => {
  it('accepts what it describes', () => {
    const values = { number: 'A-1', count: 2, gift: true }
    expect(check(schema, values)).toEqual(values)
  })

  it.each([
    [{}, "must have required property 'number'"],
    [{ number: 'B-1' }, 'must match pattern'],
    [{ number: 'A-1', other: 1 }, 'must NOT have additional properties'],
    [{ number: 'A-1', count: 0 }, 'must be >= 1'],
    [{ number: 'A-1', count: 'two' }, 'arguments/count must be integer'],
    [{ number: 'A-1', count: '1e999' }, 'arguments/count must be integer'],
    [{ number: 'A-1', count: '0x10' }, 'arguments/count must be integer'],
    [{ number: 'A-1', count: '12345678901234567890' }, 'arguments/count must be integer'],
    [{ number: 'A-1', count: '1.5' }, 'arguments/count must be integer'],
  ])('says what is wrong with %j', (values, fault) => {
    expect(check(schema, values)).toContain(fault)
  })

  it('makes numbers and booleans of text, because templates render text', () => {
    const values: ToolArguments = { number: 'A-1', count: '3', gift: 'false' }
    expect(check(schema, values)).toEqual({ number: 'A-1', count: 3, gift: false })
    expect(values).toEqual({ number: 'A-1', count: '3', gift: 'false' })
  })

  it('does so wherever the schema says the type, and with whatever name', () => {
    const elsewhere = {
      type: 'object',
      properties: { 'a/~b': { $ref: '#/$defs/n' }, c: { anyOf: [{ type: 'boolean' }, { type: 'number' }] } },
      $defs: { n: { type: ['integer', 'null'] } },
    }
    expect(check(elsewhere, { 'a/~b': '3', c: '4' })).toEqual({ 'a/~b': 3, c: 4 })
    expect(check(elsewhere, { 'a/~b': '', c: 'true' })).toEqual({ 'a/~b': null, c: true })
  })

  it('a tool without a schema takes no arguments', () => {
    expect(check(undefined, {})).toEqual({})
    expect(check(undefined, { a: 1 })).toContain('must NOT have additional properties')
  })

  it('a pattern answers in time, however hostile the text is', () => {
    const hostile = { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } }
    const before = performance.now()
    check(hostile, { a: `${'a'.repeat(30_000)}!` })
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('two tools may use the same $id', () => {
    const named = (type: string) => ({ $id: 'args', type: 'object', properties: { a: { type } } })
    expect(check(named('number'), { a: 'x' })).toContain('must be number')
    expect(check(named('string'), { a: 'x' })).toEqual({ a: 'x' })
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
