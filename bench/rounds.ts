import type { Load, Measured } from './contract.ts'
import type { MeasuredKind } from './kinds.ts'
import type { Target } from './target.ts'

/** One slice of one target's time. `cpu`: the server's processor time in microseconds a message. */
export type Sample = { rate: number; cpu: number; driverCpu: number }

/**
 * All slices of one target and kind, and the percentiles of all of them, in milliseconds. `sent`: all
 * requests of its slices; `slowed`: how many of them were polls that came too early.
 */
export type Series = {
  target: Target
  kind: MeasuredKind['kind']
  path: string
  samples: Sample[]
  sent: number
  slowed: number
  p50: number
  p99: number
}

export type Drive = (load: Load) => Promise<Measured>

export type Plan = {
  /** How long each series is measured in all, in seconds. */
  seconds: number
  /** Seconds of load of a kind on each server before its first slice, in turns as well. */
  warmup: number
  connections: number
  kinds: readonly MeasuredKind[]
  onProgress(line: string): void
}

/** Seconds of load before each slice: the processor's and the database's caches are filled by this target again. */
export const SETTLE = 0.25
/** The length of a slice, in seconds. */
export const SLICE = 1

async function measureSlice(drive: Drive, series: Series, connections: number): Promise<void> {
  const { target, kind, path } = series
  const before = await target.usage()
  const until = { seconds: SLICE }
  const load = {
    port: target.port,
    path,
    kind,
    stock: target.name,
    connections,
    settle: SETTLE,
    until,
    records: true,
  }
  const { messages, sent, slowed, seconds, p50, p99, driverCpu } = await drive(load)
  const { cpu } = await target.usage()
  series.samples.push({ rate: messages / seconds, cpu: (cpu - before.cpu) / sent, driverCpu })
  series.sent += sent
  series.slowed += slowed
  Object.assign(series, { p50, p99 })
}

/** V8 compiles what is called often over several seconds of load: an early slice would measure its compiler too. */
async function warmUp(
  drive: Drive,
  all: readonly Series[],
  { warmup, connections, onProgress }: Plan,
): Promise<void> {
  for (let second = 0; second < warmup; second += SLICE) {
    onProgress(`${all[0]?.kind}, warming up: ${second + SLICE} of ${warmup} s`)
    for (const { target, kind, path } of all) {
      const load = { port: target.port, path, kind, stock: target.name, connections, settle: 0 }
      await drive({ ...load, until: { seconds: SLICE }, records: false })
    }
  }
}

/** Measures one kind of request on each of its targets, in turns of a second. Every other round goes backwards. */
async function measureKind(drive: Drive, all: readonly Series[], plan: Plan): Promise<void> {
  const { connections, onProgress } = plan
  await warmUp(drive, all, plan)
  const rounds = Math.ceil(plan.seconds / SLICE)
  for (let round = 1; round <= rounds; round += 1) {
    for (const series of round % 2 === 1 ? all : all.toReversed())
      await measureSlice(drive, series, connections)
    const rates = all.map(
      ({ target, samples }) => `${target.name} ${Math.round(samples.at(-1)?.rate ?? 0)}/s`,
    )
    onProgress(`${all[0]?.kind}, round ${round} of ${rounds}: ${rates.join(', ')}`)
  }
}

/**
 * Measures every target with every kind that it is measured with, one kind after the other. The machine's speed drifts, and
 * only what was measured in the same moment can be compared: the targets of a kind take turns.
 */
export async function runRounds(drive: Drive, targets: readonly Target[], plan: Plan): Promise<Series[]> {
  const measured: Series[] = []
  for (const { kind, part, path, targets: names } of plan.kinds) {
    const all = targets
      .filter(({ name, stored }) => names.includes(name) && (stored === 0 || part === 'identity'))
      .map((target): Series => ({ target, kind, path, samples: [], sent: 0, slowed: 0, p50: 0, p99: 0 }))
    if (all.length > 0) await measureKind(drive, all, plan)
    measured.push(...all)
  }
  return measured
}
