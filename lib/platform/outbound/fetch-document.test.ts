import { lookup } from 'node:dns/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { fetchJson } from './fetch-document.ts'

const limits = { maxBytes: 1000, timeout: 400, allowLoopback: true }
let host: DocumentHost

beforeAll(async () => {
  host = await startDocumentHost()
  host.answer('/ok', { a: 1 })
})
afterAll(() => host.close())

function fault(url: string, overrides: Partial<typeof limits> = {}) {
  return fetchJson(url, { ...limits, ...overrides }).then((fetched) =>
    fetched.ok ? fetched.value : fetched.reason,
  )
}

describe('fetchJson', () => {
  it('returns the parsed document, whatever its media type', async () => {
    host.answer('/text', (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('[1]'),
    )
    expect(await fetchJson(`${host.origin}/ok`, limits)).toEqual({ ok: true, value: { a: 1 } })
    expect(await fault(`${host.origin}/text`)).toEqual([1])
  })

  it('asks without credentials or cookies, and for no compression', async () => {
    let seen: Record<string, unknown> = {}
    host.answer('/headers', (request, response) => {
      seen = request.headers
      response.writeHead(200, { 'Set-Cookie': 'a=1' }).end('{}')
    })
    await fault(`${host.origin}/headers`)
    await fault(`${host.origin}/headers`)
    expect(seen).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' })
    expect(Object.keys(seen).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host'])
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    host.answer('/away', (_request, response) => response.writeHead(status, { Location: '/target' }).end())
    expect(await fault(`${host.origin}/away`)).toBe('redirect')
    expect(host.hits('/target')).toBe(0)
  })

  it.each([204, 400, 404, 500])('takes a document only from 200, not from %i', async (status) => {
    host.answer('/status', (_request, response) => response.writeHead(status).end(status === 204 ? '' : '{}'))
    expect(await fault(`${host.origin}/status`)).toBe('status')
  })

  it('reads up to the byte limit and not beyond, with or without Content-Length', async () => {
    const text = (size: number) => JSON.stringify('x'.repeat(size - 2))
    host.answer('/1000', (_request, response) => response.end(text(1000)))
    host.answer('/1001', (_request, response) => response.end(text(1001)))
    host.answer('/endless', (_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(300)), 5)
      response.on('close', () => clearInterval(timer))
    })
    expect(await fault(`${host.origin}/1000`)).toHaveLength(998)
    expect(await fault(`${host.origin}/1001`)).toBe('too_large')
    expect(await fault(`${host.origin}/endless`)).toBe('too_large')
  })

  it('refuses compressed bodies, which could unfold to any size', async () => {
    const bomb = gzipSync(JSON.stringify('x'.repeat(100_000)))
    host.answer('/gzip', (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    )
    expect(bomb.byteLength).toBeLessThan(limits.maxBytes)
    expect(await fault(`${host.origin}/gzip`)).toBe('encoding')
  })

  it('ends at the time limit when the head, or the rest of the body, does not come', async () => {
    host.answer('/silent', () => {})
    host.answer('/slow', (_request, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    })
    for (const path of ['/silent', '/slow']) {
      const started = performance.now()
      expect(await fault(`${host.origin}${path}`)).toBe('timeout')
      expect(performance.now() - started).toBeLessThan(900)
    }
  })

  it.each(['{', '', 'nonsense', '\u00ff'])('%j is not JSON', async (text) => {
    host.answer('/broken', (_request, response) => response.end(Buffer.from(text, 'latin1')))
    expect(await fault(`${host.origin}/broken`)).toBe('not_json')
  })

  it('calls a host that closes or does not listen unreachable', async () => {
    host.answer('/closes', (request) => request.socket.destroy())
    host.answer('/short', (_request, response) => {
      response.writeHead(200, { 'Content-Length': '500' })
      response.write('{')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await fault(`${host.origin}/closes`)).toBe('unreachable')
    expect(await fault(`${host.origin}/short`)).toBe('unreachable')
    expect(await fault('http://localhost:1/')).toBe('unreachable')
  })
})

describe('fetchJson reaches no private network', () => {
  it.each([
    'http://example.com/',
    'ftp://localhost/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'http://10.0.0.1/',
    'nonsense',
  ])('does not ask %s', async (url) => {
    expect(await fault(url)).toBe('url')
  })

  it.each([
    'https://10.0.0.1/',
    'https://167772161/',
    'https://0xa9fea9fe/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://0/',
  ])('%s is refused before a connection, though no look-up is made for it', async (url) => {
    expect(await fault(url)).toBe('address')
    expect(await fault(url, { allowLoopback: false })).toBe('address')
  })

  it.each(['localhost', '127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])(
    '%s is this machine: nothing reaches it unless that is allowed',
    async (name) => {
      const before = host.hits('/ok')
      expect(['url', 'address']).toContain(
        await fault(`http://${name}:${host.port}/ok`, { allowLoopback: false }),
      )
      expect(['url', 'address']).toContain(
        await fault(`https://${name}:${host.port}/ok`, { allowLoopback: false }),
      )
      expect(host.hits('/ok')).toBe(before)
    },
  )

  it('checks what a name resolves to', async (context) => {
    // The machine's own name resolves to an address of this machine or of a private network, without any name server.
    const { hostname } = await import('node:os')
    const found = await lookup(hostname()).catch(() => undefined)
    if (!found || hostname() === 'localhost') return context.skip('this machine can not look up its own name')
    expect(await fault(`https://${hostname()}:${host.port}/ok`, { allowLoopback: false })).toBe('address')
  })
})
