import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetKeptChecks } from './forget-kept-checks.ts'
import { dropKeptCheck, keepCheck, readKeptCheck } from './kept-check.ts'

const row = { name: 'a', scopes: '-', turns: '- say: a', answers: '' }
const check = { row, unanswered: ['list'], isCut: false }
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    get length() {
      return kept.size
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

afterEach(() => vi.unstubAllGlobals())

it('a check is kept for its Brand, however often it is read, until it is dropped', () => {
  keepCheck('a', check)
  expect(readKeptCheck('a')).toEqual(check)
  expect(readKeptCheck('a')).toEqual(check)
  expect(readKeptCheck('b')).toBeUndefined()
  dropKeptCheck('a')
  expect(readKeptCheck('a')).toBeUndefined()
})

it.each(['', '{', 'null', '[]', JSON.stringify(row), JSON.stringify({ ...check, unanswered: 'list' })])(
  '%s is not taken for one',
  (text) => {
    keepCheck('a', check)
    for (const key of kept.keys()) kept.set(key, text)
    expect(readKeptCheck('a')).toBeUndefined()
  },
)

it('once nobody is signed in, no Brand’s is left, and everything else is', () => {
  for (const brand of ['a', 'b', 'c']) keepCheck(brand, check)
  kept.set('other', 'x')
  forgetKeptChecks()
  expect([...kept.keys()]).toEqual(['other'])
})
