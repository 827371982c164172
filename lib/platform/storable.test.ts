import { describe, expect, it } from 'vitest'
import { findUnstorable } from './storable.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
const pathsOf = (value: unknown) => findUnstorable(value).map(({ path }) => path)

describe('what can’t be stored', () => {
  it('is found wherever it stands', () => {
    expect(findUnstorable({ a: ['x', 1, null, { b: '\n' }], c: undefined, d: new Date() })).toEqual([])
    expect(pathsOf({ a: ['x', { b: 'a\0b' }] })).toEqual([['a', 1, 'b']])
    expect(pathsOf(['\uD83D'])).toEqual([[0]])
    expect(pathsOf('\0')).toEqual([[]])
  })

  it('may be a key', () => {
    expect(pathsOf({ a: { 'b\0': 1 } })).toEqual([['a']])
    expect(pathsOf(JSON.parse('{ "a": { "__proto__": {} } }'))).toEqual([['a']])
  })

  it('may be too deep, and is not walked to its end', () => {
    expect(findUnstorable(nested(40))).toEqual([])
    const way = Array.from({ length: 6 }, () => 'a')
    expect(pathsOf(nested(41))).toEqual([way])
    expect(pathsOf(nested(5_000))).toEqual([way])
  })

  it('is told of twenty times at most', () => {
    expect(findUnstorable(Array.from({ length: 500 }, () => '\0'))).toHaveLength(20)
  })
})
