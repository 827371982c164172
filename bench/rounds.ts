import type { Kind, Load, Measured } from './contract.ts'
import type { Target } from './target.ts'

/** One slice of one target's time. `cpu`: the server's processor time in microseconds a message. */
export type Sample = { rate: number; cpu: number; driverCpu: number }

/** All slices of one target and kind, and the percentiles of all of them, in milliseconds. */
export type Series = { target: Target; kind: Kind; samples: Sample[]; p50: number; p99: number }

export type Drive = (load: Load) => Promise<Measured>

export type Plan = {
  /** How long each series is measured in all, in seconds. */
  seconds: number
  warmup: number
  connections: number
  path: string
  onProgress(line: string): void
}

/** Seconds of load before each slice: the processor's and the database's caches are filled by this target again. */
const SETTLE = 0.25
/** The length of a slice, in seconds. */
const SLICE = 1
const kinds: readonly Kind[] = ['new', 'continued']

async function measureSlice(drive: Drive, series: Series, { path, connections }: Plan): Promise<void> {
  const { target, kind } = series
  const before = await target.usage()
  const until = { seconds: SLICE }
  const load = { port: target.port, path, kind, connections, settle: SETTLE, until, records: true }
  const { messages, sent, seconds, p50, p99, driverCpu } = await drive(load)
  const { cpu } = await target.usage()
  series.samples.push({ rate: messages / seconds, cpu: (cpu - before.cpu) / sent, driverCpu })
  Object.assign(series, { p50, p99 })
}

/**
 * Measures every target with first and with continued messages, in turns of a second: the machine's speed drifts, and only
 * what was measured in the same moment can be compared. Every other round goes backwards.
 */
export async function runRounds(drive: Drive, targets: readonly Target[], plan: Plan): Promise<Series[]> {
  const all = kinds.flatMap((kind) =>
    targets.map((target): Series => ({ target, kind, samples: [], p50: 0, p99: 0 })),
  )
  const { path, connections, warmup } = plan
  for (const { target, kind } of all) {
    const until = { seconds: warmup / kinds.length }
    await drive({ port: target.port, path, kind, connections, settle: 0, until, records: false })
  }
  const rounds = Math.ceil(plan.seconds / SLICE)
  for (let round = 1; round <= rounds; round += 1) {
    for (const series of round % 2 === 1 ? all : all.toReversed()) await measureSlice(drive, series, plan)
    const rates = all.map(({ samples }) => Math.round(samples.at(-1)?.rate ?? 0))
    plan.onProgress(`round ${round} of ${rounds}: ${rates.join(', ')} requests/s`)
  }
  return all
}
