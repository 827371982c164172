/** Rows that one statement of a sweep changes at most: it never holds locks for long. */
export const BATCH = 500
/** Batches of one sweep at most; the rest waits for the next. */
const BATCHES = 20

/**
 * Sweeps a table in small batches, until one is not full.
 *
 * @param sweep changes {@link BATCH} rows at most, and tells how many it were
 * @returns how many it were in all
 */
export async function inBatches(sweep: () => Promise<number>): Promise<number> {
  let swept = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const count = await sweep()
    swept += count
    if (count < BATCH) break
  }
  return swept
}
