import { startTestSession } from '#e2e/harness/console-users.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import type { Closing } from '#scripts/closing.ts'
import { startChild } from './child.ts'
import { listQueries, providerLists } from './console-addresses.ts'
import { largeStock, onlookers, stockConsole } from './console-stock.ts'
import type { ServerAnswer, ServerCommand } from './contract.ts'
import { createDatabase, openCluster } from './database.ts'
import type { Verdict } from './goals.ts'
import { describeMachine, type Machine } from './machine.ts'
import { formatTable, formatVerdicts } from './report.ts'

/** What a list page may take on the server, in milliseconds. */
const MOST = 150
/** How often each page is asked for, after once to warm up. */
const TIMES = 5

/** How long an address took for somebody of so many Brands (0: of the Provider), in milliseconds: half of the times less. */
type Timing = { address: string; brands: number; milliseconds: number }

async function signIn(userId: string): Promise<string> {
  const { name, value } = await startTestSession(userId)
  return `${name}=${value}`
}

async function timeOnce(url: string, cookie: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - begun
}

async function time(origin: string, address: string, cookie: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n <= TIMES; n++) times.push(await timeOnce(origin + address, cookie))
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0
}

/** What somebody of so many Brands may ask for. A Brand that is not theirs is not. */
function addressesFor(brands: number): string[] {
  return Object.entries(listQueries)
    .filter(([path]) => brands === 0 || !providerLists.includes(path))
    .flatMap(([path, queries]) => queries.map((query) => (query ? `${path}?${query}` : path)))
    .filter((address) => {
      const named = /01KBENCH(\d+)/.exec(address)?.[1]
      return brands === 0 || named === undefined || Number(named) < brands
    })
}

async function startServer(databaseUrl: string, closing: Closing): Promise<string> {
  const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  const child = startChild<ServerCommand, ServerAnswer>('serve-provider.ts', { env })
  closing.add(() => child.end('stop'))
  const ready = await child.next()
  if (!('port' in ready)) throw new Error('The Provider did not say its port')
  return `http://localhost:${ready.port}`
}

function judge(timings: readonly Timing[]): Verdict[] {
  return Object.keys(listQueries).map((path) => {
    const own = timings.filter(({ address }) => address.split('?')[0] === path)
    const slowest = Math.max(...own.map(({ milliseconds }) => milliseconds))
    return { goal: `${path}: ≤ ${MOST} ms`, reached: `${Math.round(slowest)} ms`, pass: slowest <= MOST }
  })
}

function format(timings: readonly Timing[]): string {
  const cell = (address: string, brands: number) => {
    const found = timings.find((timing) => timing.address === address && timing.brands === brands)
    return found ? String(Math.round(found.milliseconds)) : ''
  }
  const titles = onlookers.map((brands) => (brands === 0 ? 'Provider' : `${brands} Brands`))
  const addresses = [...new Set(timings.map(({ address }) => address))]
  return formatTable(
    ['list', ...titles],
    addresses.map((address) => [address, ...onlookers.map((brands) => cell(address, brands))]),
  )
}

/**
 * Measures how long each list of the console takes on the server, with each filter and order, with as much stored as
 * {@link largeStock} says.
 */
export async function measureConsole(
  closing: Closing,
  onProgress: (line: string) => void,
): Promise<{ machine: Machine; text: string; data: Record<string, unknown> }> {
  const cluster = await openCluster()
  closing.add(() => cluster.stop())
  const url = await createDatabase(cluster, 'bench_console')
  onProgress('Storing a large Provider …')
  const people = await stockConsole(url, largeStock)
  setDatabaseUrl(url)
  const cookies = new Map<number, string>()
  for (const [brands, id] of people) cookies.set(brands, await signIn(id))
  await closeDatabase()
  const origin = await startServer(url, closing)
  const timings: Timing[] = []
  for (const brands of onlookers) {
    onProgress(brands === 0 ? 'As the Provider’s admin …' : `As a manager of ${brands} Brands …`)
    for (const address of addressesFor(brands)) {
      const milliseconds = await time(origin, address, cookies.get(brands) ?? '')
      timings.push({ address, brands, milliseconds })
    }
  }
  const verdicts = judge(timings)
  const text = `The console's lists, in ms: half of ${TIMES} answers took less.\n\n${format(timings)}\n\n${formatVerdicts(verdicts)}`
  return { machine: await describeMachine(url), text, data: { stored: largeStock, timings, verdicts } }
}
