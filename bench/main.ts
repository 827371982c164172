import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { Closing } from '#scripts/closing.ts'
import { measureConsole } from './console-run.ts'
import { buildEnvironment } from './environment.ts'
import { judgeMemory, judgeRows } from './goals.ts'
import { chooseMeasured } from './kinds.ts'
import { describeMachine, formatMachine, type Machine } from './machine.ts'
import { runMemory } from './memory-run.ts'
import { type BenchOptions, readBenchOptions } from './options.ts'
import { formatMemory, formatParts, formatVerdicts } from './report.ts'
import { runRounds } from './rounds.ts'
import { openStage, type Stage } from './stage.ts'
import { type Row, summarise } from './summary.ts'

/** What a run found: as text for people, and as data. */
type Findings = { text: string; data: Record<string, unknown> }

/** The load average for each core from which on other programs disturb. */
const BUSY = 0.3
const RESULTS = join(import.meta.dirname, '../test-results')

function onProgress(line: string): void {
  console.error(line)
}

async function measureRates(stage: Stage, options: BenchOptions): Promise<Findings> {
  const { targets, drive } = stage
  const { seconds, warmup, connections } = options
  const { kinds } = chooseMeasured(options.only)
  const series = await runRounds(drive, targets, { seconds, warmup, connections, kinds, onProgress })
  const peaks = new Map(
    await Promise.all(
      targets.map(
        async (target) => [`${target.name} ${target.stored}`, (await target.usage()).peak] as const,
      ),
    ),
  )
  const peakOf = ({ target, stored }: Row) => peaks.get(`${target} ${stored}`) ?? 0
  const measurements = series.map(({ target: { name, stored }, ...measured }) => ({
    ...measured,
    target: name,
    stored,
  }))
  const rows = summarise(measurements)
  const verdicts = judgeRows(rows)
  const about = `${seconds} s each, in turns of a second, after ${warmup} s to warm up; ${connections} connections.`
  return {
    text: [about, ...formatParts(rows, peakOf), '', formatVerdicts(verdicts)].join('\n'),
    data: { rows: rows.map((row) => ({ ...row, peak: peakOf(row) })), verdicts, measurements },
  }
}

async function measureMemory(stage: Stage, options: BenchOptions, messages: number): Promise<Findings> {
  const [target] = stage.targets
  if (!target) throw new Error('There is no server to look at')
  const { drive } = stage
  const samples = await runMemory(drive, target, {
    messages,
    connections: options.connections,
    onProgress,
  })
  const { peak } = await target.usage()
  const verdicts = judgeMemory(samples.slice(1).map(({ rss }) => rss))
  return {
    text: [formatMemory(samples), '', formatVerdicts(verdicts)].join('\n'),
    data: { memory: samples, peak, verdicts },
  }
}

async function measureProtocol(
  options: BenchOptions,
  closing: Closing,
): Promise<Findings & { machine: Machine }> {
  const stage = await openStage(options, closing, onProgress)
  const machine = await describeMachine(stage.databaseUrl)
  const findings =
    options.messages === undefined
      ? await measureRates(stage, options)
      : await measureMemory(stage, options, options.messages)
  return { machine, ...findings }
}

async function bench(closing: Closing): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2))
  const busy = loadavg()[0] ?? 0
  if (busy > BUSY * cpus().length) {
    onProgress(`This machine is busy (load average ${busy.toFixed(1)}): only the ratios mean something.`)
  }
  const { machine, ...findings } = options.console
    ? await measureConsole(closing, onProgress)
    : await measureProtocol(options, closing)
  const json = JSON.stringify({ at: new Date().toISOString(), machine, options, ...findings.data }, null, 2)
  await mkdir(RESULTS, { recursive: true })
  await writeFile(join(RESULTS, 'bench.json'), `${json}\n`)
  console.log(options.json ? json : `\n${formatMachine(machine)}\n${findings.text}`)
}

// Before anything reads the configuration; the other processes inherit it.
Object.assign(process.env, buildEnvironment())
const closing = new Closing()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    void closing.run().finally(() => process.exit(130))
  })
}
try {
  await bench(closing)
} catch (error) {
  // What is being closed says that it ended.
  if (!interrupted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
await closing.run()
