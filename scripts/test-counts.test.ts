import { describe, expect, it } from 'vitest'
import { readCounts } from './test-counts.js'

const report = (passed: number, failed: number) => () =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed })

describe('the counts of a test run', () => {
  it('are those of its report', () => {
    expect(readCounts(true, report(3, 0))).toEqual({ passed: 3, failed: 0 })
    expect(readCounts(false, report(3, 2))).toEqual({ passed: 3, failed: 2 })
  })

  it('hold a failure when the run failed outside its tests', () => {
    expect(readCounts(false, report(3, 0))).toEqual({ passed: 3, failed: 1 })
  })

  it('hold a failure when there is no report', () => {
    const missing = () => {
      throw new Error('ENOENT')
    }
    expect(readCounts(true, missing)).toEqual({ passed: 0, failed: 1 })
  })
})
