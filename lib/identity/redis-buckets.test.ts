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

// Periods so long that nothing fills by itself while a test runs: time passes by `passTime` alone.
const limits = {
  perPersonalAgent: { requests: 100, perSeconds: 10_000 },
  perUser: { requests: 4, perSeconds: 2_000 },
}
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
    origin: 'registered' as const,
    limits: undefined,
  }
  return { personalAgent, subject: 'user: 1' }
}

async function admitted(caller: Caller, count: number) {
  const admissions = await Promise.all(Array.from({ length: count }, () => takeFromBuckets(caller, limits)))
  return admissions.filter(({ ok }) => ok).length
}

/** Asks Redis beside the rate limits' own connection. */
async function ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(port, '127.0.0.1')
  try {
    return await question(client)
  } finally {
    client.disconnect()
  }
}

const keysOf = ({ personalAgent }: Caller) => ask((client) => client.keys(`pact-user:${personalAgent.id}:*`))

/** The first requests only open the connection: until it stands, they are counted in memory. */
async function connect() {
  for (let n = 0; n < 500; n++) {
    const caller = playCaller()
    await takeFromBuckets(caller, limits)
    if ((await keysOf(caller)).length > 0) return
    await sleep(20)
  }
  throw new Error('the rate limits never reached Redis')
}

/** As if a caller's bucket had been used so much earlier, in milliseconds. */
async function passTime(caller: Caller, time: number) {
  for (const key of await keysOf(caller)) await ask((client) => client.hincrbyfloat(key, 'at', -time))
}

/**
 * Redis as the rate limits use it. What is held up by a busy machine is waited for, so that no request is counted in memory
 * instead; `impatiently`: as in production.
 */
function useRedis(impatiently = false) {
  config().redisUrl = `redis://127.0.0.1:${port}${impatiently ? '' : '?commandTimeout=none'}`
}

describe.skipIf(!binary)('§6: rate limits, on Redis', () => {
  beforeAll(async () => {
    log().level = 'silent'
    port = await freePort()
  })
  beforeEach(async () => {
    useRedis()
    await startRedis()
  })
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
    await passTime(caller, 600_000)
    expect(await admitted(caller, 10)).toBe(1)
    const refused = await takeFromBuckets(caller, limits)
    if (refused.ok) throw new Error('admitted')
    expect(refused.retryAfter).toBeLessThanOrEqual(400)
    expect(refused.retryAfter).toBeGreaterThan(300)
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
    const slow = { ...limits, perUser: { requests: 1, perSeconds: 3_000 } }
    expect(await takeFromBuckets(caller, slow)).toEqual({ ok: true })
    await passTime(caller, 2_000_000)
    const refused = await takeFromBuckets(caller, slow)
    if (refused.ok) throw new Error('admitted')
    expect(refused.retryAfter).toBeLessThanOrEqual(1_000)
    expect(refused.retryAfter).toBeGreaterThan(900)
    await passTime(caller, refused.retryAfter * 1_000)
    expect(await takeFromBuckets(caller, slow)).toEqual({ ok: true })
  })

  it('keeps periods shorter than a second', async () => {
    await connect()
    const caller = playCaller()
    const fast = { ...limits, perUser: { requests: 1, perSeconds: 0.3 } }
    expect(await takeFromBuckets(caller, fast)).toEqual({ ok: true })
    for (const key of await keysOf(caller))
      expect(await ask((client) => client.pttl(key))).toBeLessThanOrEqual(300)
    await expect.poll(() => keysOf(caller)).toEqual([])
    expect(await takeFromBuckets(caller, fast)).toEqual({ ok: true })
  })

  it('tells Redis no sub', async () => {
    await connect()
    const caller = playCaller()
    await admitted(caller, 1)
    expect(await keysOf(caller)).toEqual([expect.stringMatching(/^pact-user:[0-9a-f-]{36}:[\w-]{22}$/)])
  })

  it('leaves nothing in Redis that does not expire', async () => {
    await connect()
    await admitted(playCaller(), 3)
    const lifetimes = await ask(async (client) =>
      Promise.all((await client.keys('*')).map((key) => client.pttl(key))),
    )
    expect(lifetimes.length).toBeGreaterThan(0)
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

  it('waits for a Redis that hangs only once in a while', { timeout: 20_000 }, async () => {
    useRedis(true)
    await connect()
    const caller = playCaller()
    server?.kill('SIGSTOP')
    const started = performance.now()
    expect(await admitted(caller, 10)).toBe(4)
    for (let n = 0; n < 50; n++) await takeFromBuckets(caller, limits)
    // Every request that waited would make it 12 s.
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
