import { Command, InvalidArgumentError, Option } from 'commander'
import { measuredKinds, parts, targetNames } from './kinds.ts'

export type BenchOptions = {
  seconds: number
  warmup: number
  connections: number
  /** How many stored messages the second database gets; undefined: there is none. */
  load?: number
  /** How many messages the memory run sends instead of the measurements. */
  messages?: number
  /** Names of servers, parts and kinds; undefined: everything. */
  only?: string[]
  /** Measure the console's lists instead, on a large Provider. */
  console: boolean
  json: boolean
  profile: boolean
}

const names = [...targetNames, ...parts, ...measuredKinds.map(({ kind }) => kind)]

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Reads the command line of `npm run bench`; ends the process with a usage line when it is not one. */
export function readBenchOptions(argv: readonly string[]): BenchOptions {
  return new Command('npm run bench --')
    .description(
      'Measures the protocol through both doors, beside a floor: the least that a request costs by itself.',
    )
    .option('--seconds <n>', 'how long each figure is measured in all, in turns with the others', count, 10)
    .option(
      '--warmup <n>',
      'seconds of load of each kind on each server before the first measurement',
      count,
      10,
    )
    .option('--connections <n>', 'keep-alive connections, one request in flight on each', count, 32)
    .option('--load <n>', 'measure beside it a database with this many stored messages', count)
    .option('--messages <n>', 'memory run: send this many messages and watch the resident memory', count)
    .addOption(
      new Option(
        '--only <names...>',
        'only these servers, halves of the protocol, or kinds of requests',
      ).choices(names),
    )
    .option('--console', "measure the console's lists instead, with very much stored", false)
    .option('--json', 'print JSON on standard output instead of tables', false)
    .option('--profile', 'write CPU profiles of the servers to test-results/profiles', false)
    .parse(argv, { from: 'user' })
    .opts<BenchOptions>()
}
