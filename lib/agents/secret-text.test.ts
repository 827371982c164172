import { expect, it } from 'vitest'
import { withoutSecret } from './secret-text.ts'

it.each([
  [{ note: 'key 12345678-abc!' }, '12345678-abc', { note: 'key !' }],
  [{ 'X 12345678': [1, { a: '12345678' }] }, '12345678', { 'X ': [1, { a: '' }] }],
  [[12345678, 1, true, null], '12345678', [null, 1, true, null]],
  [{ a: 'C:\\keys "x"' }, '\\keys "x"', { a: 'C:' }],
  [{ a: 'e' }, 'e', { a: 'e' }],
  [undefined, '12345678', undefined],
])('%j without %s is %j', (value, secret, left) => {
  expect(withoutSecret(value, secret)).toEqual(left)
})

it('what is nested too deeply is left out', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(withoutSecret(deep, '12345678')).toBeUndefined()
})
