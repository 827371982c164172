import { describe, expect, it } from 'vitest'
import { buildArgumentCheck, findSchemaFault } from './argument-schema.ts'

const withProperty = (a: object) => ({ type: 'object', properties: { a } })

/** How long a check takes, in milliseconds, and what it says. */
function measure(schema: object, values: Record<string, unknown>) {
  const check = buildArgumentCheck(schema as Parameters<typeof buildArgumentCheck>[0])
  const before = performance.now()
  const checked = check(values)
  return { time: performance.now() - before, checked }
}

const halves = Array.from({ length: 40 }, (_, n) => [
  `s${n}`,
  { allOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
])
const nested = { type: 'object', properties: { a: { anyOf: Array(3).fill({ $ref: '#' }), type: 'object' } } }
const deep = (depth: number): Record<string, unknown> => (depth === 0 ? { a: 1 } : { a: deep(depth - 1) })

describe('whatever a schema and a caller agree upon, a check ends soon', () => {
  it.each([
    [
      'a list of things that must differ',
      withProperty({ type: 'array', uniqueItems: true }),
      { a: Array.from({ length: 30_000 }, (_, n) => ({ n })) },
    ],
    [
      'parts that double forty times',
      { ...withProperty({ $ref: '#/$defs/s0' }), $defs: Object.fromEntries([...halves, ['s40', {}]]) },
      { a: 1 },
    ],
    ['a schema within itself', nested, deep(25)],
  ])('%s', (_, schema, values) => {
    const { time, checked } = measure(schema, values)
    expect(checked).toEqual({ ok: false, fault: 'arguments take too long to check' })
    expect(time).toBeLessThan(2_000)
  })

  it('large patterns upon a long text', () => {
    const patterns = Array.from({ length: 40 }, (_, n) => ({ pattern: `(a{0,400}${n}|[a-z]{0,500}y)*!$` }))
    expect(measure(withProperty({ allOf: patterns }), { a: 'a'.repeat(32_000) }).time).toBeLessThan(2_000)
  })

  it('an ordinary list of things that must differ is checked', () => {
    const schema = withProperty({ type: 'array', uniqueItems: true })
    expect(measure(schema, { a: [1, 2, 3] }).checked).toMatchObject({ ok: true })
    expect(measure(schema, { a: [1, 2, 1] }).checked).toMatchObject({
      fault: expect.stringContaining('must NOT have duplicate items'),
    })
  })

  it('a pattern as large as no rule’s may be is not accepted', () => {
    expect(findSchemaFault(withProperty({ pattern: '^[a-z]{0,999}[0-9]{0,999}$' }))).toMatch(
      /its pattern \^\[a-z\].* it is too large$/,
    )
    expect(findSchemaFault(withProperty({ type: 'string', pattern: '^[A-Z]-\\d{1,8}$' }))).toBeUndefined()
    expect(measure(withProperty({ pattern: '^[A-Z]$' }), { a: 'a' }).checked.ok).toBe(false)
  })
})
