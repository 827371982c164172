import { expect, it } from 'vitest'
import { runBounded } from './run-bounded.ts'

it('gives back what was made, or ends what takes too long', () => {
  const made = { of: 'this realm' }
  expect(runBounded(() => made, 1_000)).toBe(made)
  const before = performance.now()
  expect(
    runBounded(() => {
      for (;;);
    }, 50),
  ).toBeUndefined()
  expect(performance.now() - before).toBeLessThan(1_000)
  expect(runBounded(() => made, 1_000)).toBe(made)
})

it('throws what was thrown', () => {
  const fault = new RangeError('too deep')
  expect(() =>
    runBounded(() => {
      throw fault
    }, 1_000),
  ).toThrow(fault)
})
