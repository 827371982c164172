import { describe, expect, it } from 'vitest'
import { type Measurements, median, summarise } from './summary.ts'

function measured(
  target: Measurements['target'],
  rates: number[],
  stored = 0,
  kind: Measurements['kind'] = 'new',
): Measurements {
  const samples = rates.map((rate) => ({ rate, cpu: 3, driverCpu: 4 }))
  return { target, stored, kind, samples, sent: 100, slowed: 0, p50: 1, p99: 2 }
}

describe('median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 9])).toBe(3)
  })
})

describe('summarise', () => {
  it('compares round by round, so that a machine that slows down does not change the ratio', () => {
    const [, lane] = summarise([measured('floor', [4000, 2000, 1000]), measured('lane', [3000, 1500, 750])])
    expect(lane).toMatchObject({ target: 'lane', rate: 1500, ofFloor: 0.75 })
  })

  it('compares only what is of the same kind, on the same database', () => {
    const rows = summarise([
      measured('floor', [1000]),
      measured('floor', [500], 0, 'continued'),
      measured('floor', [800], 1_000_000),
      measured('lane', [400], 1_000_000),
      measured('lane', [500]),
    ])
    expect(rows.map(({ ofFloor, ofEmpty }) => [ofFloor, ofEmpty])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, 0.8],
      [0.5, 0.8],
      [0.5, undefined],
    ])
  })
})
