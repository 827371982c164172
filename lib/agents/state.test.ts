import { describe, expect, it } from 'vitest'
import type { AgentState } from './agent.ts'
import { assign, findStateFault } from './state.ts'

const full: AgentState = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`v${n}`, n]))

describe('what a conversation remembers', () => {
  it('null forgets, and other values replace', () => {
    expect(
      assign({ a: 1, b: 2 }, [
        ['a', null],
        ['b', 'x'],
        ['c', false],
      ]),
    ).toEqual({ b: 'x', c: false })
  })

  it('stays at 32 variables: those assigned last stay', () => {
    const state = assign(full, [
      ['v0', 'again'],
      ['w', 1],
    ])
    expect(Object.keys(state)).toHaveLength(32)
    expect(state).toMatchObject({ v0: 'again', w: 1 })
    expect(state).not.toHaveProperty('v1')
    expect(findStateFault(state)).toBeUndefined()
  })

  it('strings are cut to 1,000 characters that can be stored', () => {
    const { a, b } = assign({}, [
      ['a', `${'x'.repeat(999)}😀`],
      ['b', 'x\0y\uDC00'],
    ])
    expect([a, b]).toEqual(['x'.repeat(999), 'xy\uFFFD'])
  })

  it.each([
    [null],
    ['text'],
    [[]],
    [{ ...full, more: 1 }],
    [{ a: 'x'.repeat(1_001) }],
    [{ a: 'x\0' }],
    [{ a: '\uD800' }],
    [{ a: Number.NaN }],
    [{ a: null }],
    [{ a: {} }],
    [{ ['x'.repeat(65)]: 1 }],
  ])('%j is not a state', (state) => {
    expect(findStateFault(state)).toBeTypeOf('string')
  })
})
