import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertArgument } from './convert-argument.ts'

const as = (value: unknown, ...types: string[]) => convertArgument(value, new Set(types))

describe('an argument that came as text', () => {
  it.each([
    ['3', 3],
    ['-17', -17],
    ['0', 0],
    ['12.30', 12.3],
    ['3.0', 3],
    ['100.00', 100],
    ['9007199254740991', 9007199254740991],
    ['0.30000000000000004', 0.30000000000000004],
  ])('%s is the number %d', (text, number) => {
    expect(as(text, 'number')).toBe(number)
    expect(as(text, 'integer')).toBe(number)
  })

  it.each([
    '1e999',
    'Infinity',
    'NaN',
    '1e3',
    '0x10',
    '0b1',
    '12345678901234567890',
    '9007199254740993',
    '0.12345678901234567890',
    '9'.repeat(400),
    '-0',
    '007',
    '+1',
    '1.',
    '.5',
    '1,5',
    ' 1',
    '',
    '１',
  ])('%s stays text where a number is meant', (text) => {
    expect(as(text, 'number', 'integer', 'boolean')).toBeUndefined()
  })

  it('is the same number for whoever reads it again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const converted = as(String(number), 'number')
        expect(converted === undefined || converted === number).toBe(true)
      }),
    )
  })

  it('is a boolean or null where it says so', () => {
    expect([as('true', 'boolean'), as('false', 'boolean'), as('', 'integer', 'null')]).toEqual([
      true,
      false,
      null,
    ])
    expect([as('yes', 'boolean'), as('1', 'boolean'), as('null', 'null')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('an argument that a rule writes as a value', () => {
  it('is text where text is meant, and nothing else', () => {
    expect([as(7, 'string'), as(true, 'string')]).toEqual(['7', 'true'])
    expect([as(1, 'boolean'), as(true, 'number'), as(null, 'string'), as({}, 'string')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
