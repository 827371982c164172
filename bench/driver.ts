import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverAnswer, DriverCommand, Load, Measured } from './contract.ts'
import { type MessageKind, Talker } from './conversations.ts'
import { countPosted, openConnection } from './http-connection.ts'
import { buildOAuthSpeaker, type Supply } from './oauth-speaker.ts'
import type { Speaker } from './speaker.ts'
import { TokenPool } from './token-pool.ts'

// A process of its own: it generates load for as long as its parent keeps the channel open.

/** Who talks to one port in one way, and how long the answers took, in microseconds. */
type Session = { speakers: Speaker[]; supply: Supply; latency: RecordableHistogram }

/** From `open` on, answers count. `left`: how many may still be sent. */
type Window = { open: boolean; over: boolean; left: number; messages: number; latency: RecordableHistogram }

let tokens: TokenPool | undefined
const sessions = new Map<string, Session>()

function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 })
}

function isMessage(kind: Load['kind']): kind is MessageKind {
  return kind === 'new' || kind === 'continued' || kind === 'mixed' || kind === 'delegated'
}

function sessionOf(pool: TokenPool, { port, kind, connections, stock }: Load): Session {
  const key = `${port} ${kind}`
  const known = sessions.get(key)
  if (known) return known
  const supply: Supply = { stock, used: 0, slowed: 0 }
  const speakers = Array.from({ length: connections }, (_, index) =>
    isMessage(kind) ? new Talker(pool, kind) : buildOAuthSpeaker(kind, pool, supply, index),
  )
  const session = { speakers, supply, latency: newHistogram() }
  sessions.set(key, session)
  return session
}

async function talk(speaker: Speaker, window: Window): Promise<void> {
  while (!window.over && window.left > 0) {
    const counted = window.open
    if (counted) window.left -= 1
    const startedAt = performance.now()
    await speaker.say()
    if (!counted || window.over) continue
    window.messages += 1
    window.latency.record(Math.max(1, Math.round((performance.now() - startedAt) * 1000)))
  }
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function watch(
  window: Window,
  load: Load,
  talking: Promise<unknown>,
): Promise<Omit<Measured, 'sent' | 'slowed'>> {
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
  const { speakers, supply, latency } = sessionOf(pool, load)
  const contentType = isMessage(load.kind) ? 'application/json' : 'application/x-www-form-urlencoded'
  // Anew for every load: a server closes connections that rest while others are measured.
  const connections = await Promise.all(speakers.map(() => openConnection(load.port, load.path, contentType)))
  const sentBefore = countPosted()
  const slowedBefore = supply.slowed
  const window: Window = {
    open: false,
    over: false,
    left: 'messages' in load.until ? load.until.messages : Number.POSITIVE_INFINITY,
    messages: 0,
    latency: load.records ? latency : newHistogram(),
  }
  try {
    await Promise.all(connections.map((connection, index) => speakers[index]?.use(connection)))
    const measured = await watch(window, load, Promise.all(speakers.map((speaker) => talk(speaker, window))))
    return { ...measured, sent: countPosted() - sentBefore, slowed: supply.slowed - slowedBefore }
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
