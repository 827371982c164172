import { describe, expect, it } from 'vitest'
import { formatTable, formatVerdicts } from './report.ts'

describe('formatTable', () => {
  it('aligns columns, the first to the left', () => {
    expect(formatTable(['what', 'n'], [['a', '10']])).toBe('| what |  n |\n| ---- | -: |\n| a    | 10 |')
  })

  it('takes an empty title and no rows', () => {
    expect(formatTable(['', 'n'], [])).toBe('|    |  n |\n| -- | -: |')
  })
})

describe('formatVerdicts', () => {
  it('says nothing when nothing was to be reached', () => {
    expect(formatVerdicts([])).toBe('')
  })
})
