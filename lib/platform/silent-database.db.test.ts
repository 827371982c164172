import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from './config.ts'
import { closeDatabase, pool } from './database.ts'
import { forgetConfirmation, revisionCache } from './revision-cache.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
const open = new Set<Socket>()
/** What was connected before this says no more; later connections work, as after a failover. */
let silenced = new Set<Socket>()

const proxy = createServer((client) => {
  const { hostname, port } = new URL(database.url)
  const server = connect(Number(port), hostname)
  open.add(client)
  client.on('data', (chunk) => silenced.has(client) || server.write(chunk))
  server.on('data', (chunk) => silenced.has(client) || client.write(chunk))
  for (const socket of [client, server]) {
    socket.on('error', () => {})
    socket.on('close', () => {
      client.destroy()
      server.destroy()
    })
  }
})

beforeAll(async () => {
  database = await freshDatabase()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(database.url)
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.hostname = '127.0.0.1'
  setDatabaseUrl(url.href)
})

afterAll(async () => {
  for (const socket of open) socket.destroy()
  proxy.close()
  await closeDatabase()
  await database.drop()
})

describe('connections that go silent without an end', () => {
  it('hold up requests for a bounded time, and not for ever', { timeout: 60_000 }, async () => {
    const facts = revisionCache('silent-test', async (key) => key)
    expect(await facts('a')).toBe('a')
    const size = pool().totalCount
    expect(size).toBeGreaterThan(0)
    silenced = new Set(open)
    forgetConfirmation()
    const startedAt = performance.now()
    for (let attempt = 0; attempt <= size; attempt++) {
      const answer = await facts('a').catch(() => undefined)
      if (answer === 'a') break
    }
    expect(await facts('a')).toBe('a')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})
