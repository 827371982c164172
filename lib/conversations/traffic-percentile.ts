import { turnBounds } from './traffic.ts'

/**
 * Reads a percentile off counts of turns by their time.
 *
 * @param counts by upper bound in milliseconds; turns above the last bound under `Infinity`
 * @param share e.g. 0.95
 * @returns the upper bound below which that share lies, in milliseconds; undefined without turns
 */
export function percentileOf(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  for (const bound of turnBounds) {
    seen += counts.get(bound) ?? 0
    if (seen >= total * share) return bound
  }
  return Number.POSITIVE_INFINITY
}

/** A percentile as a number that JSON and charts have; null: no turn, or longer than is counted. */
export function finitePercentile(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
