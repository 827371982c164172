import type { Kind } from './contract.ts'
import type { TargetName } from './kinds.ts'
import type { Sample } from './rounds.ts'

/** A target's slices of one kind, in the order of the rounds. */
export type Measurements = {
  target: TargetName
  stored: number
  kind: Kind
  samples: readonly Sample[]
  sent: number
  slowed: number
  p50: number
  p99: number
}

/**
 * Requests a second and microseconds of the server's processor time a message: medians of the slices. Percentiles, in
 * milliseconds: of all slices together.
 */
export type Row = {
  target: TargetName
  stored: number
  kind: Kind
  rate: number
  p50: number
  p99: number
  cpu: number
  /** The part of the requests that were polls before their time: they get `slow_down` (RFC 8628 §3.5). */
  slowed: number
  /** Of the floor's rate on the same database, of the same kind: the median of the rounds. Undefined without a floor. */
  ofFloor: number | undefined
  /** Of the same target's rate without stored messages. Undefined for those themselves. */
  ofEmpty: number | undefined
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper
}

/** The median of the rounds' ratios: what was measured in the same round is compared, whatever the machine did later. */
export function medianRatio(measured: Measurements, reference: Measurements | undefined): number | undefined {
  if (!reference) return undefined
  const ratios = measured.samples.map(
    ({ rate }, round) => rate / (reference.samples[round]?.rate ?? Number.NaN),
  )
  return median(ratios)
}

function medianOf(samples: readonly Sample[], field: keyof Sample): number {
  return median(samples.map((sample) => sample[field]))
}

/** What the bench reports: one row a target and kind. */
export function summarise(all: readonly Measurements[]): Row[] {
  return all.map((each) => {
    const { target, stored, kind, samples, sent, slowed, p50, p99 } = each
    const ofKind = all.filter((other) => other.kind === kind)
    const floor = ofKind.find((other) => other.target === 'floor' && other.stored === stored)
    const empty = ofKind.find((other) => other.target === target && other.stored === 0)
    return {
      target,
      stored,
      kind,
      rate: medianOf(samples, 'rate'),
      p50,
      p99,
      cpu: medianOf(samples, 'cpu'),
      slowed: slowed / Math.max(1, sent),
      ofFloor: target === 'floor' ? undefined : medianRatio(each, floor),
      ofEmpty: stored === 0 ? undefined : medianRatio(each, empty),
    }
  })
}
