import type { Kind, Load, Measured } from './contract.ts'
import type { Target } from './target.ts'

/** One measurement of one target. `cpu`: the server's processor time in microseconds a message. */
export type Sample = { rate: number; p50: number; p99: number; cpu: number; driverCpu: number }

export type Series = { target: Target; kind: Kind; samples: Sample[] }

export type Drive = (load: Load) => Promise<Measured>

type Plan = {
  seconds: number
  warmup: number
  rounds: number
  connections: number
  path: string
  onProgress(line: string): void
}

/** Seconds of load before each measurement: the caches of the processor and the database fit the target again. */
const SETTLE = 1
const kinds: readonly Kind[] = ['new', 'continued']

async function measure(drive: Drive, { target, kind }: Series, plan: Plan): Promise<Sample> {
  const { path, connections, seconds } = plan
  const before = await target.usage()
  const load = { port: target.port, path, kind, connections, settle: SETTLE, until: { seconds } }
  const { messages, sent, seconds: taken, p50, p99, driverCpu } = await drive(load)
  const { cpu } = await target.usage()
  return { rate: messages / taken, p50, p99, cpu: (cpu - before.cpu) / sent, driverCpu }
}

/**
 * Measures every target with first and with continued messages, in turns: the machine's speed drifts, and only what was
 * measured in the same minute can be compared. Every other round goes backwards.
 */
export async function runRounds(drive: Drive, targets: readonly Target[], plan: Plan): Promise<Series[]> {
  const series = kinds.flatMap((kind) => targets.map((target): Series => ({ target, kind, samples: [] })))
  for (const { target, kind } of series) {
    const { path, connections, warmup } = plan
    await drive({
      port: target.port,
      path,
      kind,
      connections,
      settle: 0,
      until: { seconds: warmup / kinds.length },
    })
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const each of round % 2 === 1 ? series : series.toReversed()) {
      const sample = await measure(drive, each, plan)
      each.samples.push(sample)
      const { target, kind } = each
      plan.onProgress(
        `round ${round}/${plan.rounds}: ${target.name}, ${kind}, ${target.stored} stored: ${Math.round(sample.rate)}/s`,
      )
    }
  }
  return series
}
