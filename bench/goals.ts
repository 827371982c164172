import type { Kind } from './contract.ts'
import type { Row } from './summary.ts'

/** What must be reached on a machine with two cores, and what was. */
export type Verdict = { goal: string; reached: string; pass: boolean }

/** `mostP99` in milliseconds, at 32 connections. */
type Goals = { leastRate?: number; leastOfFloor?: number; mostP99: number }

const identity: Goals = { leastRate: 1_500, leastOfFloor: 0.6, mostP99: 60 }
const MOST_DELEGATED_P99 = 80
const goals: Record<Kind, Goals> = {
  new: identity,
  continued: identity,
  mixed: identity,
  delegated: { leastRate: 900, leastOfFloor: 0.5, mostP99: MOST_DELEGATED_P99 },
  authorize: { mostP99: MOST_DELEGATED_P99 },
  poll: { leastRate: 2_000, mostP99: MOST_DELEGATED_P99 },
  issue: { mostP99: MOST_DELEGATED_P99 },
  refresh: { mostP99: MOST_DELEGATED_P99 },
}
/** Of the rate without stored messages: what is above lies within the noise. */
const LEAST_OF_EMPTY = 0.9
const MIB = 2 ** 20
const MOST_MEMORY = 450 * MIB
/** Of the most resident memory, from the first half of the messages to the second: what is below lies within the noise. */
const MOST_GROWTH = 0.05

function judgeRow({ kind, stored, rate, p99, ofFloor, ofEmpty }: Row): Verdict[] {
  const what = `lane, ${kind}${stored > 0 ? `, ${stored} stored` : ''}`
  const { leastRate, leastOfFloor, mostP99 } = goals[kind]
  const speed =
    leastRate === undefined
      ? []
      : [{ goal: `${what}: ≥ ${leastRate}/s`, reached: `${Math.round(rate)}/s`, pass: rate >= leastRate }]
  const ratios = [
    { value: ofFloor, least: leastOfFloor, of: 'the floor' },
    { value: ofEmpty, least: LEAST_OF_EMPTY, of: 'its rate without stored messages' },
  ]
  return [
    ...speed,
    { goal: `${what}: p99 ≤ ${mostP99} ms`, reached: `${p99.toFixed(1)} ms`, pass: p99 <= mostP99 },
    ...ratios.flatMap(({ value, least, of }) =>
      value === undefined || least === undefined
        ? []
        : [{ goal: `${what}: ≥ ${least} of ${of}`, reached: value.toFixed(2), pass: value >= least }],
    ),
  ]
}

/** Judges the lane's rows. */
export function judgeRows(rows: readonly Row[]): Verdict[] {
  return rows.filter(({ target }) => target === 'lane').flatMap(judgeRow)
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
