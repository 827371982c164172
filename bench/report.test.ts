import { describe, expect, it } from 'vitest'
import { formatParts, formatTable, formatVerdicts } from './report.ts'

describe('formatTable', () => {
  it('aligns columns, the first to the left', () => {
    expect(formatTable(['what', 'n'], [['a', '10']])).toBe('| what |  n |\n| ---- | -: |\n| a    | 10 |')
  })

  it('takes an empty title and no rows', () => {
    expect(formatTable(['', 'n'], [])).toBe('|    |  n |\n| -- | -: |')
  })
})

const row = { target: 'lane', stored: 0, rate: 10, p50: 1, p99: 2, cpu: 3, ofEmpty: undefined } as const

describe('formatParts', () => {
  it('has a table for each half of the protocol, and says what polls got', () => {
    const message = { ...row, kind: 'new', slowed: 0, ofFloor: 0.7 } as const
    const lines = formatParts([message, { ...message, kind: 'poll', slowed: 0.25 }], () => 2 ** 20)
    expect(lines.filter((line) => /^PACT/.test(line))).toHaveLength(2)
    expect(lines.at(-1)).toContain('lane 25.0 %')
    expect(lines.join()).not.toContain('of empty')
  })

  it('compares with empty tables only where some were not', () => {
    const grown = { ...row, kind: 'new', slowed: 0, stored: 1000, ofFloor: 0.7, ofEmpty: 0.95 } as const
    expect(formatParts([grown], () => 0).join()).toContain('0.95')
    expect(formatParts([], () => 0)).toEqual([])
  })
})

describe('formatVerdicts', () => {
  it('says nothing when nothing was to be reached', () => {
    expect(formatVerdicts([])).toBe('')
  })
})
