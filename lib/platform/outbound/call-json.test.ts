import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { callJson, type JsonCall } from './call-json.ts'

let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())

function call(change: Partial<JsonCall> = {}) {
  const signal = AbortSignal.timeout(1_000)
  const url = `${api.origin}/a`
  return callJson({
    url,
    method: 'POST',
    headers: {},
    signal,
    maxBytes: 1_000,
    allowLoopback: true,
    ...change,
  })
}

describe('callJson', () => {
  it('sends JSON and gives back whatever JSON is answered, with its status', async () => {
    api.answerWith(({ body }) => ({ status: 418, json: { got: body } }))
    expect(await call({ body: { a: [1] } })).toEqual({ ok: true, status: 418, value: { got: { a: [1] } } })
  })

  it('calls once, even where the connection breaks', async () => {
    api.calls.length = 0
    api.answerWith(() => ({ headers: { Connection: 'close', 'Content-Length': '99' }, raw: '{' }))
    expect(await call({ method: 'GET' })).toMatchObject({ ok: false, status: 200, sent: true })
    expect(api.calls).toHaveLength(1)
  })

  it.each([
    ['text', { raw: 'done', headers: { 'Content-Type': 'text/plain' } }, 200],
    ['no content', { status: 204 }, 204],
    ['compressed', { raw: 'x', headers: { 'Content-Encoding': 'gzip' } }, 200],
    ['more than is read', { raw: 'x'.repeat(1_001) }, 200],
    ['cut short', { raw: '{', headers: { Connection: 'close', 'Content-Length': '99' } }, 200],
  ])(
    'a call that was answered with success has succeeded, without a value: %s',
    async (_, answer, status) => {
      api.answerWith(() => answer)
      expect(await call()).toEqual({ ok: true, status, value: undefined })
    },
  )

  it.each([
    ['a redirect', { status: 303, headers: { Location: '/b' } }, 'redirect'],
    ['a compressed error', { status: 409, raw: 'x', headers: { 'Content-Encoding': 'gzip' } }, 'encoding'],
    ['a long error', { status: 500, raw: 'x'.repeat(1_001) }, 'too_large'],
  ])('keeps the status of an answer that it does not read: %s', async (_, answer, reason) => {
    api.answerWith(() => answer)
    expect(await call()).toEqual({ ok: false, reason, status: answer.status, sent: true })
  })

  it('a GET whose answer is cut short gave nothing', async () => {
    api.answerWith(() => ({ raw: 'x'.repeat(1_001) }))
    expect(await call({ method: 'GET' })).toEqual({ ok: false, reason: 'too_large', status: 200, sent: true })
  })

  it.each([
    ['a name that does not exist', { url: 'https://nowhere.invalid/' }, 'unreachable'],
    ['a port on which nobody listens', { url: 'http://127.0.0.1:9/' }, 'unreachable'],
    ['no time left', { signal: AbortSignal.abort() }, 'timeout'],
  ])('knows that a call left nowhere: %s', async (_, change, reason) => {
    const signal = AbortSignal.timeout(10_000)
    expect(await call({ signal, ...change })).toMatchObject({ ok: false, reason, sent: false })
  })

  it('does not know it of a call that got no answer', async () => {
    api.answerWith(() => new Promise(() => {}))
    const called = await call({ signal: AbortSignal.timeout(100) })
    expect(called).toEqual({ ok: false, reason: 'timeout', status: undefined, sent: true })
  })

  it.each([
    ['https://10.0.0.1/', 'address'],
    ['https://169.254.169.254/latest', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['http://example.com/', 'url'],
    ['ftp://example.com/', 'url'],
  ])('reaches no private network: %s', async (url, reason) => {
    expect(await call({ url })).toEqual({ ok: false, reason, status: undefined, sent: false })
  })

  it('reaches this machine only where that is allowed', async () => {
    api.calls.length = 0
    expect(await call({ allowLoopback: false })).toMatchObject({ ok: false, reason: 'url', sent: false })
    expect(api.calls).toEqual([])
  })
})
