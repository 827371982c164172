import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { strangePath } from './harness/hostile.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { buildSendBody, sendText, signPaToken } from './harness/wire.ts'

let provider: TestProvider
let token: string

beforeAll(async () => {
  provider = await startTestProvider()
  token = await signPaToken(provider.personalAgent, { sub: 'nobody-should-log-this' })
})

afterAll(() => provider.close())

/** Sends bytes as they are, and returns the status of the first answer; undefined where the connection just ends. */
function sendRaw(pieces: (string | Buffer)[], patience = 5_000): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(provider.url).port), 'localhost')
    let answer = ''
    const finish = () => {
      socket.destroy()
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      resolve(status === undefined ? undefined : Number(status))
    }
    socket.setTimeout(patience, finish)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.includes('\r\n\r\n')) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
    for (const piece of pieces) socket.write(piece)
  })
}

const head = (line: string, ...fields: string[]) =>
  `${[line, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`

async function expectStillServing() {
  const { status } = await sendText(`${provider.url}/a2a/${provider.brandId}`, token, 'hello')
  expect(status).toBe(200)
}

describe('bytes that no honest client sends', () => {
  it('get an answer of HTTP’s own or of the specification’s, and the server goes on', async () => {
    const send = `POST /a2a/${provider.brandId}/message:send HTTP/1.1`
    const auth = `Authorization: Bearer ${token}`
    const body = JSON.stringify(buildSendBody('hello'))
    const cases: [string, (string | Buffer)[], (number | undefined)[]][] = [
      ['not HTTP', ['\x16\x03\x01\x02\x00\x01\x00'], [400, undefined]],
      ['no Host', [`GET /a2a/ HTTP/1.1\r\n\r\n`], [400]],
      ['a Host that is none', ['GET /a2a/x/tasks HTTP/1.1\r\nHost: a b/c?d\r\n\r\n'], [400, 401]],
      [
        'an absolute target',
        [head(`GET http://other.example/a2a/${provider.brandId}/tasks HTTP/1.1`)],
        [401, 404],
      ],
      ['an asterisk', [head('OPTIONS * HTTP/1.1')], [200, 204, 400, 404]],
      ['TRACE', [head(`TRACE /a2a/${provider.brandId}/tasks HTTP/1.1`)], [405]],
      ['CONNECT', [head('CONNECT example.com:443 HTTP/1.1')], [400, 404, 405, undefined]],
      ['PROPFIND of a page', [head('PROPFIND / HTTP/1.1')], [405]],
      ['broken encoding of a page', [head('GET /%E0%A4%A HTTP/1.1')], [404]],
      ['a header of 20 KB', [head(send, `X: ${'x'.repeat(20_000)}`)], [431]],
      [
        'two Authorization headers',
        [head(send, auth, 'Authorization: Bearer x', 'Content-Length: 0')],
        [400, 401],
      ],
      ['two lengths', [head(send, auth, 'Content-Length: 1', 'Content-Length: 2')], [400]],
      [
        'length and chunks',
        [head(send, auth, 'Content-Length: 5', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
        [400],
      ],
      ['bad chunks', [head(send, auth, 'Transfer-Encoding: chunked'), 'zz\r\n'], [400]],
      [
        'chunks',
        [
          head(send, auth, 'Transfer-Encoding: chunked'),
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        ],
        [200],
      ],
      [
        'a body with no end in sight',
        [head(send, auth, 'Transfer-Encoding: chunked'), `fffff\r\n${'x'.repeat(400_000)}`],
        [400],
      ],
      ['a length of 1 TB', [head(send, auth, 'Content-Length: 1000000000000'), 'x'], [400]],
      [
        'an expectation',
        [head(send, auth, 'Expect: 100-continue', `Content-Length: ${body.length}`), body],
        [100, 200],
      ],
      ['an unknown expectation', [head(send, auth, 'Expect: magic', 'Content-Length: 0')], [417]],
      [
        'an upgrade',
        [head(`GET /a2a/${provider.brandId}/tasks HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket')],
        [401],
      ],
      [
        'a sub no one may have',
        [head(send, 'Authorization: Bearer \xff\xfe', 'Content-Length: 0')],
        [400, 401],
      ],
    ]
    for (const [name, pieces, allowed] of cases) expect(allowed, name).toContain(await sendRaw(pieces))
    await expectStillServing()
  })

  it('headers that Next’s own router understands do a page no harm', async () => {
    const headers = [
      ['RSC: 1', 'Next-Router-State-Tree: garbage'],
      ['RSC: 1', 'Next-Router-State-Tree: %5B%22%22%5D', 'Next-Router-Prefetch: 1'],
      ['Next-Url: //evil.example'],
      ['X-Now-Route-Matches: 1'],
      ['X-Middleware-Prefetch: 1'],
    ]
    for (const path of ['/', '/admin', '/nothing', '/?_rsc=x']) {
      for (const fields of headers) {
        const status = await sendRaw([head(`GET ${path} HTTP/1.1`, ...fields)])
        // The console leads to its sign-in, and refuses what its own router can't have sent.
        const allowed = path === '/admin' ? [200, 307, 400] : [200, 404]
        expect(allowed, `${path} ${fields}`).toContain(status)
      }
    }
    for (const line of ['GET /_global-error', 'GET /_error', 'GET /_next/image?url=%2Fx&w=64&q=75']) {
      expect(await sendRaw([head(`${line} HTTP/1.1`)])).toBe(404)
    }
    for (const fields of [['Next-Action: x'], ['Content-Type: multipart/form-data; boundary=x']]) {
      expect(await sendRaw([head('POST / HTTP/1.1', ...fields, 'Content-Length: 0')])).toBe(405)
    }
  })

  it('authentication comes before the body: a refused caller need not send it (§3.4)', async () => {
    const fields = ['Content-Type: application/json', 'Content-Length: 100000']
    const started = performance.now()
    expect(await sendRaw([head(`POST /a2a/${provider.brandId}/message:send HTTP/1.1`, ...fields)])).toBe(401)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('a caller that hangs up in the middle disturbs nobody', async () => {
    const fields = [`Authorization: Bearer ${token}`, 'Content-Length: 1000']
    for (let n = 0; n < 20; n++) {
      const socket = connect(Number(new URL(provider.url).port), 'localhost')
      socket.on('error', () => {})
      socket.write(`${head(`POST /a2a/${provider.brandId}/message:send HTTP/1.1`, ...fields)}{"message":`)
      await sleep(5)
      socket.destroy()
    }
    await expectStillServing()
  })

  it('paths of any kind never get a 500, in the lane or in a page', async () => {
    const path = fc.oneof(
      strangePath(provider.brandId),
      strangePath(provider.brandId).map((path) => path.replace('/a2a/', '/')),
    )
    const printable = path.map((path) => path.replace(/[^\x21-\x7e]/g, ''))
    await fc.assert(
      fc.asyncProperty(printable, fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE'), async (path, method) => {
        const status = await sendRaw([head(`${method} ${path || '/'} HTTP/1.1`, 'Content-Length: 0')])
        expect(status).not.toBe(500)
        expect(status).toBeGreaterThanOrEqual(200)
      }),
      { numRuns: 150 },
    )
    await expectStillServing()
  })

  it('leave nothing in the log but one line a request: no stack, no token, no text, no sub', async () => {
    await sendText(`${provider.url}/a2a/${provider.brandId}`, token, 'my secret errand')
    await sleep(200)
    const printed = provider.logLines.join('\n')
    expect(provider.logLines.length).toBeGreaterThan(150)
    for (const line of provider.logLines.filter((line) => line.startsWith('{'))) {
      expect(JSON.parse(line)).toMatchObject({ requestId: expect.any(String), status: expect.any(Number) })
    }
    expect(provider.logLines.filter((line) => /^\s+at |Error/.test(line))).toEqual([])
    for (const secret of [
      token,
      token.split('.')[2] ?? token,
      'nobody-should-log-this',
      'my secret errand',
    ]) {
      expect(printed).not.toContain(secret)
    }
  })
})
