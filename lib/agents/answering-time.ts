/** How much of a turn's time is kept for answering when its calls are over, in milliseconds; less in a short turn. */
const ANSWERING_TIME = 500
const LARGEST_SHARE = 0.1

/**
 * How much of a turn's time its calls must leave, in milliseconds.
 *
 * @param timeLimit the turn's, in milliseconds
 */
export function answeringTime(timeLimit: number): number {
  return Math.min(ANSWERING_TIME, timeLimit * LARGEST_SHARE)
}
