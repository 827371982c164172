import { log } from './log.ts'

/**
 * Does something again and again, for the first time after `every` milliseconds. A failure is logged, and left to the next time.
 * It keeps no process alive.
 *
 * @param failure what the log says then
 * @returns what ends it
 */
export function repeat(
  work: () => Promise<unknown>,
  { every, failure }: { every: number; failure: string },
): () => void {
  const timer = setInterval(() => {
    work().catch((error) => log().warn({ reason: String(error) }, failure))
  }, every).unref()
  return () => clearInterval(timer)
}
