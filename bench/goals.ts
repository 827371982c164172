import type { Row } from './summary.ts'

/** What must be reached on a machine with two cores, and what was. */
export type Verdict = { goal: string; reached: string; pass: boolean }

const LEAST_OF_FLOOR = 0.6
const LEAST_RATE = 1_500
/** In milliseconds, at 32 connections. */
const MOST_P99 = 60
/** Of the rate without stored messages: what is above lies within the noise. */
const LEAST_OF_EMPTY = 0.9
const MIB = 2 ** 20
const MOST_MEMORY = 450 * MIB
/** Of the most resident memory, from the first half of the messages to the second: what is below lies within the noise. */
const MOST_GROWTH = 0.05

/** Judges the lane's rows. */
export function judgeRows(rows: readonly Row[]): Verdict[] {
  return rows
    .filter(({ target }) => target === 'lane')
    .flatMap(({ kind, stored, rate, p99, ofFloor, ofEmpty }): Verdict[] => {
      const what = `lane, ${kind}${stored > 0 ? `, ${stored} stored` : ''}`
      const flat =
        ofEmpty === undefined
          ? []
          : [{ value: ofEmpty, least: LEAST_OF_EMPTY, of: 'its rate without stored messages' }]
      const floor = ofFloor === undefined ? [] : [{ value: ofFloor, least: LEAST_OF_FLOOR, of: 'the floor' }]
      return [
        { goal: `${what}: ≥ ${LEAST_RATE}/s`, reached: `${Math.round(rate)}/s`, pass: rate >= LEAST_RATE },
        { goal: `${what}: p99 ≤ ${MOST_P99} ms`, reached: `${p99.toFixed(1)} ms`, pass: p99 <= MOST_P99 },
        ...[...floor, ...flat].map(({ value, least, of }) => ({
          goal: `${what}: ≥ ${least} of ${of}`,
          reached: value.toFixed(2),
          pass: value >= least,
        })),
      ]
    })
}

/** Judges a memory run. @param rss resident bytes at even intervals, in the order of time */
export function judgeMemory(rss: readonly number[]): Verdict[] {
  const last = rss.at(-1) ?? 0
  // Collections make a saw-tooth: only its peaks can be compared.
  const half = Math.ceil(rss.length / 2)
  const growth = Math.max(...rss.slice(half)) / Math.max(...rss.slice(0, half)) - 1
  return [
    {
      goal: `lane: ≤ ${MOST_MEMORY / MIB} MiB resident`,
      reached: `${Math.round(last / MIB)} MiB`,
      pass: last <= MOST_MEMORY,
    },
    {
      goal: `lane: memory does not grow (≤ ${MOST_GROWTH * 100} % from the first half to the second)`,
      reached: `${(growth * 100).toFixed(1)} %`,
      pass: growth <= MOST_GROWTH,
    },
  ]
}
