import { expect, it } from 'vitest'
import { estimateCost } from './checking-cost.ts'

const cost = (schema: object, size: number) => estimateCost(schema as Record<string, unknown>)(size)

it('an ordinary check costs little, and nobody has to end it', () => {
  const order = {
    type: 'object',
    properties: { number: { type: 'string', pattern: '^A-[0-9]{1,8}$' }, pattern: { type: 'string' } },
    required: ['number'],
  }
  expect(cost(order, 100)).toBeLessThan(10_000)
  expect(
    cost({ type: 'object', properties: { tags: { type: 'array', uniqueItems: true } } }, 100),
  ).toBeLessThan(10_000)
})

it('what grows faster than the value is counted so', () => {
  const unique = { items: { uniqueItems: true } }
  expect(cost(unique, 32_000)).toBeGreaterThan(200e6)
  expect(cost({ allOf: [unique, unique] }, 32_000)).toBeGreaterThan(400e6)
  expect(cost({ allOf: Array(100).fill({ pattern: '^[a-z]{0,900}$' }) }, 1_000)).toBeGreaterThan(90e6)
  expect(cost({ patternProperties: { '^[a-z]{0,900}$': true } }, 1_000)).toBeGreaterThan(900_000)
  expect(cost({ properties: { a: { $ref: '#' } } }, 1)).toBe(Number.POSITIVE_INFINITY)
})
