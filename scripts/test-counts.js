/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}

/**
 * Counts the tests in Vitest's JSON report. A run that failed counts at least one failure, also when it could not report.
 *
 * @param {boolean} ok whether the run succeeded
 * @param {() => string} readReport
 * @returns {Counts}
 */
export function readCounts(ok, readReport) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readReport())
    return { passed: numPassedTests, failed: Math.max(numFailedTests, ok ? 0 : 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
