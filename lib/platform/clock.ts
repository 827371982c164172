import { processState } from './process-state.ts'

const clock = () => processState('clock', () => ({ read: Date.now }))

/** The time, in milliseconds since 1970. Expiry in SQL is decided by the database's clock instead. */
export function now(): number {
  return clock().read()
}

/** The time in whole seconds since 1970, as JWTs count it (RFC 7519 §2, NumericDate). */
export function nowInSeconds(): number {
  return Math.floor(clock().read() / 1000)
}

/** For tests: lets `read` (milliseconds since 1970) stand for the clock; without it the real one returns. */
export function setClock(read: () => number = Date.now): void {
  clock().read = read
}
