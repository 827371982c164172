import { describe, expect, it } from 'vitest'
import { judgeMemory, judgeRows } from './goals.ts'

const row = {
  target: 'lane',
  kind: 'new',
  stored: 0,
  p50: 5,
  p99: 20,
  cpu: 1,
  slowed: 0,
  ofFloor: 0.7,
  ofEmpty: undefined,
} as const
const MIB = 2 ** 20

function failures(verdicts: { goal: string; pass: boolean }[]): string[] {
  return verdicts.filter(({ pass }) => !pass).map(({ goal }) => goal)
}

describe('judgeRows', () => {
  it('holds the lane to its rate, its p99 and its part of the floor, and nothing else', () => {
    expect(failures(judgeRows([{ ...row, rate: 1500 }]))).toEqual([])
    expect(failures(judgeRows([{ ...row, rate: 1499, p99: 61, ofFloor: 0.59 }]))).toHaveLength(3)
    expect(judgeRows([{ ...row, target: 'next', rate: 1 }])).toEqual([])
  })

  it('holds delegated messages and polls to goals of their own, the rest of §5 to its p99 alone', () => {
    const delegated = { ...row, kind: 'delegated', rate: 900, p99: 80, ofFloor: 0.5 } as const
    expect(failures(judgeRows([delegated]))).toEqual([])
    expect(failures(judgeRows([{ ...delegated, rate: 899, p99: 81, ofFloor: 0.49 }]))).toHaveLength(3)
    expect(failures(judgeRows([{ ...delegated, kind: 'poll', rate: 1999, ofFloor: 0.1 }]))).toHaveLength(1)
    expect(failures(judgeRows([{ ...delegated, kind: 'refresh', rate: 1, ofFloor: 0.1 }]))).toEqual([])
  })

  it('holds the lane to its own rate as the tables grow', () => {
    const grown = { ...row, rate: 2000, stored: 1_000_000 }
    expect(failures(judgeRows([{ ...grown, ofEmpty: 0.95 }]))).toEqual([])
    expect(failures(judgeRows([{ ...grown, ofEmpty: 0.8 }]))).toHaveLength(1)
  })
})

describe('judgeMemory', () => {
  it('takes memory that has levelled out, with the saw-tooth of the collections', () => {
    expect(failures(judgeMemory([200, 300, 320, 240, 310, 325].map((size) => size * MIB)))).toEqual([])
  })

  it('misses memory that grows, or is too much', () => {
    expect(failures(judgeMemory([200, 220, 240, 260, 280, 300].map((size) => size * MIB)))).toHaveLength(1)
    expect(failures(judgeMemory([460, 460, 460].map((size) => size * MIB)))).toHaveLength(1)
  })
})
