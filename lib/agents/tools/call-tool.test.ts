import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { noUsage, type SentCalls } from '../agent.ts'
import { hashArguments } from './arguments-hash.ts'
import { buildIdempotencyKey, callTool, isOutcomeUnknown } from './call-tool.ts'
import type { ToolSettings } from './schema.ts'
import { buildTool } from './tool.ts'

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

function tool(
  method: ToolSettings['request']['method'],
  path: string,
  { timeLimitSeconds, ...change }: Partial<ToolSettings> & { timeLimitSeconds?: number } = {},
) {
  return buildTool({
    name: 'act',
    description: 'Acts.',
    scope: 'orders:act',
    changes: true,
    arguments: { type: 'object', properties },
    request: { method, url: `${api.origin}${path}`, timeLimitSeconds },
    ...change,
  })
}

const context = (signal: AbortSignal = AbortSignal.timeout(2_000), timeLeft = 2_000) => ({
  brandId: 'B',
  access: { brandUserId: 'jane-4471', token: 'a.b.c' },
  idempotencyKey: 'k-1',
  signal,
  until: performance.now() + timeLeft,
  sent: new Set() as SentCalls,
  usage: noUsage(),
})

describe('a tool is one HTTP call to the Brand’s API', () => {
  it('fills the URL, and sends the rest as a JSON body', async () => {
    const values = { number: 'A 1', count: '3', note: 'please' }
    expect(await callTool(tool('POST', '/orders/{number}/cancel'), values, context())).toEqual({
      ok: true,
      value: { ok: true },
    })
    expect(api.calls).toMatchObject([
      { method: 'POST', path: '/orders/A%201/cancel', body: { count: 3, note: 'please' } },
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

  it('has those in the query that it names, although there is a body', async () => {
    const request = { method: 'POST', url: `${api.origin}/orders/{number}`, query: ['count'] } as const
    await callTool(
      tool('POST', '', { request: { ...request, query: [...request.query] } }),
      { number: 'A', count: 2, note: 'x' },
      context(),
    )
    expect(api.calls).toMatchObject([{ method: 'POST', path: '/orders/A?count=2', body: { note: 'x' } }])
  })

  it('writes a list into the query entry by entry', async () => {
    const schema = { type: 'object', properties: { state: { type: 'array', items: { type: 'string' } } } }
    await callTool(tool('GET', '/orders', { arguments: schema }), { state: ['open', 'a&b'] }, context())
    expect(api.calls).toMatchObject([{ path: '/orders?state=open&state=a%26b' }])
  })

  it('brings the delegation token and its idempotency key, and no token under §3', async () => {
    await callTool(tool('GET', '/a'), {}, context())
    await callTool(tool('GET', '/a'), {}, { ...context(), access: undefined })
    const [first, second] = api.calls
    expect(first?.headers).toMatchObject({ authorization: 'Bearer a.b.c', 'idempotency-key': 'k-1' })
    expect(second?.headers.authorization).toBeUndefined()
  })

  it('brings no token where the tool has no scope', async () => {
    await callTool(tool('GET', '/a', { scope: undefined }), {}, context())
    expect(api.calls[0]?.headers).toMatchObject({ 'idempotency-key': 'k-1' })
    expect(api.calls[0]?.headers.authorization).toBeUndefined()
  })

  it.each([
    { status: 204 },
    { raw: 'cancelled', headers: { 'Content-Type': 'text/plain' } },
    { raw: 'x', headers: { 'Content-Encoding': 'gzip' } },
    { raw: 'x'.repeat(262_145) },
  ])('an answer without JSON is no value: %.60j', async (answer) => {
    api.answerWith(() => answer)
    expect(await callTool(tool('POST', '/a'), {}, context())).toEqual({ ok: true, value: undefined })
  })

  it('has noted the call before it goes out, as it goes out', async () => {
    const given = context()
    let noted: unknown
    api.answerWith(() => {
      noted = [...given.sent]
      return { json: {} }
    })
    await callTool(tool('POST', '/orders/{number}'), { number: 'A-1', count: '3' }, given)
    const argsHash = hashArguments({ number: 'A-1', count: 3 })
    expect(noted).toEqual([{ action: { tool: 'act', argsHash }, scopes: ['orders:act'], changes: true }])
    expect(api.calls[0]?.body).toEqual({ count: 3 })
  })

  it.each([
    ['GET', undefined, false],
    ['GET', false, false],
    ['GET', true, true],
    ['POST', undefined, true],
    ['POST', false, false],
    ['DELETE', true, true],
  ] as const)('%s of a tool whose `changes` is %s: %s', (method, says, changes) => {
    expect(tool(method, '/a', { changes: says }).changes).toBe(changes)
  })

  it.each([
    [{ status: 409, json: { error: 'shipped' } }, { status: 409, body: { error: 'shipped' } }, false],
    [{ status: 500, raw: '<h1>no</h1>' }, { status: 500, body: undefined }, true],
    [
      { status: 303, headers: { Location: '/other' } },
      { reason: 'redirect', status: 303, body: undefined },
      true,
    ],
    [
      { status: 404, raw: 'x', headers: { 'Content-Encoding': 'gzip' } },
      { reason: 'encoding', status: 404 },
      false,
    ],
  ])('%.60j is a failure of a call that was made', async (answer, failure, unknown) => {
    api.answerWith(() => answer)
    const given = context()
    const result = await callTool(tool('POST', '/a'), {}, given)
    expect(result).toMatchObject({ ok: false, failure: { tool: 'act', sent: true, ...failure } })
    expect(!result.ok && isOutcomeUnknown(result.failure)).toBe(unknown)
    expect(api.calls).toHaveLength(1)
    expect(given.sent.size).toBe(1)
    expect(given.usage).toMatchObject({ toolCalls: 1, failedToolCalls: 1 })
  })

  const reading = { changes: false }

  it('that changes nothing is made a second time where its connection breaks, and counts once', async () => {
    let calls = 0
    api.answerWith(() => {
      calls += 1
      return calls === 1 ? { hangUp: true } : { json: { ok: true } }
    })
    const given = context()
    expect(await callTool(tool('GET', '/a', reading), {}, given)).toEqual({ ok: true, value: { ok: true } })
    expect(api.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1'])
    expect(given.sent.size).toBe(1)
    expect(given.usage).toMatchObject({ toolCalls: 1, failedToolCalls: 0 })
    expect(given.usage.toolTime).toBeGreaterThan(0)
  })

  it('and so is a search that is a POST', async () => {
    let calls = 0
    api.answerWith(() => {
      calls += 1
      return calls === 1 ? { hangUp: true } : { json: { found: [] } }
    })
    const given = context()
    expect(await callTool(tool('POST', '/search', reading), {}, given)).toMatchObject({ ok: true })
    expect([...given.sent].map(({ changes }) => changes)).toEqual([false])
  })

  it('is made no third time', async () => {
    api.answerWith(() => ({ hangUp: true }))
    const given = context()
    const result = await callTool(tool('GET', '/a', reading), {}, given)
    expect(result).toMatchObject({ ok: false, failure: { reason: 'unreachable', sent: true } })
    expect([api.calls.length, given.sent.size]).toEqual([2, 1])
  })

  it.each([
    ['changes something', 'POST', {}, { hangUp: true }],
    ['says that it does', 'GET', { changes: true }, { hangUp: true }],
    ['had an answer', 'GET', reading, { status: 503 }],
    [
      'had half an answer',
      'GET',
      { ...reading, timeLimitSeconds: 0.2 },
      { raw: '{', headers: { 'Content-Length': '100' } },
    ],
  ] as const)('that %s is made once', async (_, method, about, answer) => {
    api.answerWith(() => answer)
    expect(await callTool(tool(method, '/a', about), {}, context())).toMatchObject({
      ok: false,
      failure: { sent: true },
    })
    expect(api.calls).toHaveLength(1)
  })

  it('is not made again once its time is over', async () => {
    api.answerWith(() => new Promise((resolve) => setTimeout(() => resolve({ hangUp: true }), 300)))
    const result = await callTool(tool('GET', '/a', { ...reading, timeLimitSeconds: 0.1 }), {}, context())
    expect(result).toMatchObject({ ok: false, failure: { reason: 'timeout' } })
    await new Promise((resolve) => setTimeout(resolve, 400))
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

  it.each([
    ['the tool’s own time is over', { timeLimitSeconds: 0.1 }, 2_000],
    ['the turn must answer', {}, 100],
  ])('ends when %s, though the turn goes on', async (_, limits, timeLeft) => {
    api.answerWith(() => new Promise(() => {}))
    const before = performance.now()
    const given = context(AbortSignal.timeout(5_000), timeLeft)
    const result = await callTool(tool('POST', '/a', limits), {}, given)
    expect(result).toMatchObject({ ok: false, failure: { reason: 'timeout', sent: true } })
    expect(performance.now() - before).toBeLessThan(1_000)
    expect([given.signal.aborted, given.sent.size]).toEqual([false, 1])
  })

  it('is not made when there is no time left', async () => {
    const given = context(AbortSignal.timeout(2_000), 0)
    const result = await callTool(tool('POST', '/a'), {}, given)
    expect(result).toMatchObject({ ok: false, failure: { reason: 'timeout', sent: false } })
    expect([api.calls.length, given.sent.size, given.usage.toolCalls]).toEqual([0, 0, 0])
  })

  it('is no call where it certainly reached nobody', async () => {
    for (const url of ['https://10.0.0.1/', 'https://nowhere.invalid/', 'http://localhost:9/']) {
      const given = context()
      const result = await callTool(tool('POST', '', { request: { method: 'POST', url } }), {}, given)
      expect(result, url).toMatchObject({ ok: false, failure: { sent: false } })
      expect(given.sent.size, url).toBe(0)
    }
  })

  it('is not made with arguments that the schema or the URL refuses', async () => {
    const hostile = ['many', '1e999', '0x10', '12345678901234567890'].map((count) => ({
      number: 'A-1',
      count,
    }))
    for (const values of [{ number: '..' }, { number: '' }, { number: 'a/b' }, ...hostile]) {
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
