import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'

// Each connection answers its first request, and is reset by the second, as one that an endpoint has just closed.
let breaking = 'after the first'
let requests = 0
const answered = new WeakSet<object>()
const server = createServer((request, response) => {
  requests += 1
  request.resume()
  if (breaking === 'always' || answered.has(request.socket)) return void request.socket.resetAndDestroy()
  answered.add(request.socket)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}')
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  requests = 0
})

const ask = () => {
  const { port } = server.address() as AddressInfo
  return guardedFetch(`http://localhost:${port}/v1`, { method: 'POST', body: '{}' })
}

it('a request on a connection that breaks is made once more', async () => {
  expect(await (await ask()).json()).toEqual({ ok: true })
  // Until the connection is free again.
  await pause(50)
  expect(await (await ask()).json()).toEqual({ ok: true })
  expect(requests).toBe(3)
})

it('and no third time', async () => {
  breaking = 'always'
  await expect(ask()).rejects.toThrow("The model's endpoint: unreachable")
  expect(requests).toBe(2)
})
