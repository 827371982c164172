import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import type { ToolSettings } from '../schema.ts'
import { buildIdempotencyKey, buildTool, callTool } from './call-tool.ts'

let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.calls.length = 0
  api.answerWith(() => ({ json: { ok: true } }))
})

const properties = { number: { type: 'string' }, count: { type: 'integer' }, note: { type: 'string' } }

function tool(method: ToolSettings['request']['method'], path: string) {
  return buildTool({
    name: 'act',
    description: 'Acts.',
    changes: true,
    arguments: { type: 'object', properties },
    request: { method, url: `${api.origin}${path}` },
  })
}

const context = (signal: AbortSignal = AbortSignal.timeout(2_000)) => ({
  token: 'a.b.c',
  idempotencyKey: 'k-1',
  signal,
})

describe('a tool is one HTTP call to the Brand’s API', () => {
  it('fills the URL, and sends the rest as a JSON body', async () => {
    const values = { number: 'A/1', count: '3', note: 'please' }
    expect(await callTool(tool('POST', '/orders/{number}/cancel'), values, context())).toEqual({
      ok: true,
      value: { ok: true },
    })
    expect(api.calls).toMatchObject([
      { method: 'POST', path: '/orders/A%2F1/cancel', body: { count: 3, note: 'please' } },
    ])
    expect(api.calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
    })
  })

  it.each(['GET', 'DELETE'] as const)('%s has the rest in the query, and no body', async (method) => {
    await callTool(tool(method, '/orders/{number}?by=agent'), { number: 'A-1', note: 'a&b' }, context())
    expect(api.calls).toMatchObject([{ method, path: '/orders/A-1?by=agent&note=a%26b', body: undefined }])
    expect(api.calls[0]?.headers['content-type']).toBeUndefined()
  })

  it('brings the delegation token and its idempotency key, and no token under §3', async () => {
    await callTool(tool('GET', '/a'), {}, context())
    await callTool(tool('GET', '/a'), {}, { ...context(), token: undefined })
    const [first, second] = api.calls
    expect(first?.headers).toMatchObject({ authorization: 'Bearer a.b.c', 'idempotency-key': 'k-1' })
    expect(second?.headers.authorization).toBeUndefined()
  })

  it('an answer without content is no value', async () => {
    api.answerWith(() => ({ status: 204 }))
    expect(await callTool(tool('POST', '/a'), {}, context())).toEqual({ ok: true, value: undefined })
  })

  it.each([
    [
      { status: 409, json: { error: 'shipped' } },
      { status: 409, body: { error: 'shipped' } },
    ],
    [
      { status: 500, raw: '<h1>no</h1>' },
      { status: 500, body: undefined },
    ],
    [
      { status: 200, raw: 'nonsense' },
      { reason: 'not_json', status: undefined },
    ],
    [
      { status: 302, headers: { Location: '/other' } },
      { reason: 'redirect', status: undefined },
    ],
    [{ status: 200, raw: JSON.stringify('x'.repeat(262_143)) }, { reason: 'too_large' }],
  ])('%.60j is a failure of a call that was made', async (answer, failure) => {
    api.answerWith(() => answer)
    expect(await callTool(tool('POST', '/a'), {}, context())).toMatchObject({
      ok: false,
      failure: { tool: 'act', sent: true, ...failure },
    })
    expect(api.calls).toHaveLength(1)
  })

  it('an answer of 256 KiB is read', async () => {
    api.answerWith(() => ({ raw: JSON.stringify('x'.repeat(262_142)) }))
    expect((await callTool(tool('GET', '/a'), {}, context())).ok).toBe(true)
  })

  it('ends when the turn’s time is over', async () => {
    api.answerWith(() => new Promise(() => {}))
    const before = performance.now()
    const result = await callTool(tool('GET', '/a'), {}, context(AbortSignal.timeout(100)))
    expect(result).toMatchObject({ ok: false, failure: { reason: 'timeout', sent: true } })
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('is not made with arguments that the schema or the URL refuses', async () => {
    for (const values of [{ number: '..' }, { number: '' }, { number: 'A-1', count: 'many' }]) {
      expect(await callTool(tool('GET', '/orders/{number}'), values, context())).toMatchObject({
        ok: false,
        failure: { sent: false },
      })
    }
    expect(api.calls).toEqual([])
  })

  it('an idempotency key belongs to one call of one message of one context, whatever is in their names', () => {
    const keys = [
      buildIdempotencyKey('c', 'm', 0),
      buildIdempotencyKey('c', 'm', 1),
      buildIdempotencyKey('c', 'm2', 0),
      buildIdempotencyKey('c,m', '', 0),
      buildIdempotencyKey('c', '"é\n', 0),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(buildIdempotencyKey('c', 'm', 0)).toBe(keys[0])
    expect(keys.every((key) => /^[\w-]{43}$/.test(key))).toBe(true)
  })
})
