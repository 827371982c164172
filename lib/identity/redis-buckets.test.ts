import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import type { Caller } from './caller.ts'
import { takeFromBuckets } from './rate-limits.ts'
import { closeSharedBuckets } from './redis-buckets.ts'

const binary = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
if (!binary)
  console.warn(
    'Rate limits on Redis are not tested: there is no redis-server (Debian: apt-get install redis-server).',
  )

const limits = { perPersonalAgent: { requests: 100, perSeconds: 1 }, perUser: { requests: 4, perSeconds: 2 } }
let port = 0
let server: ChildProcess | undefined

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

async function startRedis() {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  server = spawn(binary ?? '', options, { stdio: 'ignore' })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: 100 })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}

async function stopRedis() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

function playCaller(): Caller {
  const personalAgent = {
    id: randomUUID(),
    issuer: 'https://pa.example.com',
    jwksUri: 'https://pa.example.com/jwks.json',
    name: 'Example',
    enabled: true,
    limits: undefined,
  }
  return { personalAgent, subject: 'user: 1' }
}

async function admitted(caller: Caller, count: number) {
  const admissions = await Promise.all(Array.from({ length: count }, () => takeFromBuckets(caller, limits)))
  return admissions.filter(({ ok }) => ok).length
}

/** The first request only opens the connection. */
async function connect() {
  for (let n = 0; n < 100; n++) {
    await takeFromBuckets(playCaller(), limits)
    const client = new Redis(port, '127.0.0.1')
    const keys = await client.keys('pact-user:*')
    client.disconnect()
    if (keys.length > 0) return
    await sleep(20)
  }
  throw new Error('the rate limits never reached Redis')
}

describe.skipIf(!binary)('§6: rate limits, on Redis', () => {
  beforeAll(async () => {
    log().level = 'silent'
    port = await freePort()
    config().redisUrl = `redis://127.0.0.1:${port}`
  })
  beforeEach(startRedis)
  afterEach(async () => {
    await closeSharedBuckets()
    await stopRedis()
  })
  afterAll(() => {
    config().redisUrl = undefined
  })

  it('is a token bucket: a burst, then its rate', async () => {
    await connect()
    const caller = playCaller()
    expect(await admitted(caller, 10)).toBe(4)
    await sleep(600)
    expect(await admitted(caller, 10)).toBe(1)
    expect(await takeFromBuckets(caller, limits)).toEqual({ ok: false, retryAfter: 1 })
  })

  it('holds for all processes together', async () => {
    await connect()
    const caller = playCaller()
    expect(await admitted(caller, 3)).toBe(3)
    // As another process would: a connection of its own, nothing in memory.
    await closeSharedBuckets()
    await connect()
    expect(await admitted(caller, 3)).toBe(1)
  })

  it('says honestly when to come again', async () => {
    await connect()
    const caller = playCaller()
    const slow = { ...limits, perUser: { requests: 1, perSeconds: 30 } }
    expect(await takeFromBuckets(caller, slow)).toEqual({ ok: true })
    expect(await takeFromBuckets(caller, slow)).toEqual({ ok: false, retryAfter: 30 })
  })

  it('keeps periods shorter than a second', async () => {
    await connect()
    const caller = playCaller()
    const fast = { ...limits, perUser: { requests: 1, perSeconds: 0.3 } }
    expect(await takeFromBuckets(caller, fast)).toEqual({ ok: true })
    expect(await takeFromBuckets(caller, fast)).toEqual({ ok: false, retryAfter: 1 })
    await sleep(350)
    expect(await takeFromBuckets(caller, fast)).toEqual({ ok: true })
  })

  it('tells Redis no sub', async () => {
    await connect()
    const caller = playCaller()
    await admitted(caller, 1)
    const client = new Redis(port, '127.0.0.1')
    const keys = await client.keys(`pact-user:${caller.personalAgent.id}*`)
    client.disconnect()
    expect(keys).toEqual([expect.stringMatching(/^pact-user:[0-9a-f-]{36}:[\w-]{22}$/)])
  })

  it('leaves nothing in Redis that does not expire', async () => {
    await connect()
    await admitted(playCaller(), 3)
    const client = new Redis(port, '127.0.0.1')
    const keys = await client.keys('*')
    const lifetimes = await Promise.all(keys.map((key) => client.pttl(key)))
    client.disconnect()
    expect(keys.length).toBeGreaterThan(0)
    for (const lifetime of lifetimes) expect(lifetime).toBeGreaterThanOrEqual(0)
  })

  it('goes on in memory while Redis is down, and comes back to it', { timeout: 20_000 }, async () => {
    await connect()
    const caller = playCaller()
    await stopRedis()
    expect(await admitted(caller, 10)).toBe(4)
    await startRedis()
    await connect()
    expect(await admitted(caller, 10)).toBe(4)
  })

  it('waits for a Redis that hangs only once in a while', async () => {
    await connect()
    const caller = playCaller()
    server?.kill('SIGSTOP')
    const started = performance.now()
    expect(await admitted(caller, 10)).toBe(4)
    for (let n = 0; n < 50; n++) await takeFromBuckets(caller, limits)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
