import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverAnswer, DriverCommand, Load, Measured } from './contract.ts'
import { countSent, Talker } from './conversations.ts'
import { openConnection } from './http-connection.ts'
import { TokenPool } from './token-pool.ts'

// A process of its own: it generates load for as long as its parent keeps the channel open.

/** Who talks to one port in one way, and how long the answers took, in microseconds. */
type Session = { talkers: Talker[]; latency: RecordableHistogram }

/** From `open` on, answers count. `left`: how many may still be sent. */
type Window = { open: boolean; over: boolean; left: number; messages: number; latency: RecordableHistogram }

let tokens: TokenPool | undefined
const sessions = new Map<string, Session>()

function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 })
}

function sessionOf(pool: TokenPool, { port, kind, connections }: Load): Session {
  const key = `${port} ${kind}`
  const known = sessions.get(key)
  if (known) return known
  const talkers = Array.from({ length: connections }, () => new Talker(pool, kind))
  const session = { talkers, latency: newHistogram() }
  sessions.set(key, session)
  return session
}

async function talk(talker: Talker, window: Window): Promise<void> {
  while (!window.over && window.left > 0) {
    const counted = window.open
    if (counted) window.left -= 1
    const startedAt = performance.now()
    await talker.say()
    if (!counted || window.over) continue
    window.messages += 1
    window.latency.record(Math.max(1, Math.round((performance.now() - startedAt) * 1000)))
  }
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function watch(window: Window, load: Load, talking: Promise<unknown>): Promise<Omit<Measured, 'sent'>> {
  await Promise.race([sleep(load.settle * 1000), talking])
  const startedAt = performance.now()
  const cpuBefore = cpuTime()
  window.open = true
  const end = 'seconds' in load.until ? sleep(load.until.seconds * 1000) : talking
  await Promise.race([end, talking])
  const seconds = (performance.now() - startedAt) / 1000
  window.over = true
  const driverCpu = (cpuTime() - cpuBefore) / Math.max(1, window.messages)
  await talking
  const [p50, p99] = [50, 99].map((percent) => window.latency.percentile(percent) / 1000)
  return { messages: window.messages, seconds, p50: p50 ?? 0, p99: p99 ?? 0, driverCpu }
}

async function run(load: Load): Promise<Measured> {
  const pool = tokens
  if (!pool) throw new Error('The driver has no cast yet')
  if ('seconds' in load.until) await pool.freshen(load.settle + load.until.seconds)
  const { talkers, latency } = sessionOf(pool, load)
  // Anew for every load: a server closes connections that rest while others are measured.
  const connections = await Promise.all(talkers.map(() => openConnection(load.port, load.path)))
  const sentBefore = countSent()
  const window: Window = {
    open: false,
    over: false,
    left: 'messages' in load.until ? load.until.messages : Number.POSITIVE_INFINITY,
    messages: 0,
    latency: load.records ? latency : newHistogram(),
  }
  try {
    await Promise.all(connections.map((connection, index) => talkers[index]?.use(connection)))
    const measured = await watch(window, load, Promise.all(talkers.map((talker) => talk(talker, window))))
    return { ...measured, sent: countSent() - sentBefore }
  } finally {
    window.over = true
    for (const connection of connections) connection.close()
  }
}

async function obey(command: DriverCommand): Promise<DriverAnswer> {
  if (command.command === 'load') return { measured: await run(command.load) }
  tokens = await TokenPool.create(command.cast)
  return {}
}

process.on('message', (command: DriverCommand) => {
  obey(command)
    .catch((error: Error): DriverAnswer => ({ failure: error.message }))
    .then((answer) => process.send?.(answer))
})
// Ctrl-C in the terminal reaches this process too: the parent decides.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
