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
    expect(await call()).toMatchObject({ ok: false })
    expect(api.calls).toHaveLength(1)
  })

  it.each([
    ['https://10.0.0.1/', 'address'],
    ['https://169.254.169.254/latest', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['http://example.com/', 'url'],
    ['ftp://example.com/', 'url'],
  ])('reaches no private network: %s', async (url, reason) => {
    expect(await call({ url })).toEqual({ ok: false, reason })
  })

  it('reaches this machine only where that is allowed', async () => {
    api.calls.length = 0
    expect(await call({ allowLoopback: false })).toEqual({ ok: false, reason: 'url' })
    expect(api.calls).toEqual([])
  })
})
