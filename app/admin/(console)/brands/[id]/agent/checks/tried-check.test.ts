import { expect, it } from 'vitest'
import { type TriedTurn, toCheckRow } from './tried-check.ts'

const tried = (say: string, scopes: string): TriedTurn => ({
  say,
  scopes,
  answers: `answers of ${say}`,
  turn: `- say: ${say}`,
})

it('a tried conversation makes a check of its last turns under one permission', () => {
  const turns = [tried('a', ''), tried('b', 'orders:read'), tried('c', 'orders:read')]
  expect(toCheckRow(turns)).toEqual({
    name: 'b',
    scopes: 'orders:read',
    answers: 'answers of c',
    turns: '- say: b\n- say: c',
  })
  expect(toCheckRow([])).toBeUndefined()
})

it('a check has as many turns, and as long a name, as it may', () => {
  const row = toCheckRow(Array.from({ length: 12 }, (_, n) => tried(`${n} ${'x'.repeat(100)}`, '')))
  expect(row?.turns.split('\n')).toHaveLength(10)
  expect(row?.name).toHaveLength(80)
})
