// What is used up by being measured has names that count, so that whoever stores it and whoever sends it need not tell each
// other. A stock belongs to one server under test.

/** How many codes a server's polls go round: more than are polled in five seconds, the interval of RFC 8628 §3.2. */
export const POLLED_CODES = 40_000
/** How many refresh tokens each connection begins with, so that their rows are spread as in earnest. */
export const REFRESH_TOKENS = 10

/** What the device codes of a stock begin with; `issue`: approved ones, each good for one token. */
export function deviceCodePrefix(stock: string, kind: 'poll' | 'issue'): string {
  return `dc_${stock}_${kind}_`
}

/** What the refresh tokens of a stock begin with, before the first of them rotates. */
export function refreshTokenPrefix(stock: string): string {
  return `rt_${stock}_`
}
