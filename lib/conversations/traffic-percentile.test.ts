import { describe, expect, it } from 'vitest'
import { turnKind } from './traffic.ts'
import { percentileOf } from './traffic-percentile.ts'

describe('percentiles of turns', () => {
  const counts = new Map([
    [10, 90],
    [100, 9],
    [Number.POSITIVE_INFINITY, 1],
  ])

  it('are the upper bound below which the share lies', () => {
    expect(percentileOf(counts, 0.5)).toBe(10)
    expect(percentileOf(counts, 0.95)).toBe(100)
    expect(percentileOf(counts, 0.999)).toBe(Number.POSITIVE_INFINITY)
  })

  it('are not known without turns', () => {
    expect(percentileOf(new Map(), 0.5)).toBeUndefined()
  })

  it('come from kinds by upper bound', () => {
    expect([0, 5, 5.1, 25, 30_000, 30_001].map(turnKind)).toEqual([
      'turn:5',
      'turn:5',
      'turn:10',
      'turn:25',
      'turn:30000',
      'turn:more',
    ])
  })
})
