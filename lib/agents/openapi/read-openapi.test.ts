import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { MAX_DOCUMENT_BYTES, readOpenApi } from './read-openapi.ts'

const options = { allowLoopback: false }

const orders = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example' }],
  paths: { '/orders': { get: { operationId: 'listOrders' } } },
}

describe('reading an OpenAPI document', () => {
  it.each([
    ['JSON', JSON.stringify(orders)],
    ['JSON with a byte order mark', `\uFEFF${JSON.stringify(orders)}`],
    ['YAML', stringify(orders)],
  ])('in %s', async (_, text) => {
    expect(await readOpenApi(text, options)).toMatchObject({
      ok: true,
      title: 'Orders',
      operations: [{ method: 'GET', path: '/orders', tool: { name: 'listOrders' } }],
      more: 0,
    })
  })

  it.each([
    [
      'lists in lists of JSON',
      `{"openapi":"3.1.0","paths":{"/a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
    [
      'maps in maps of JSON',
      `{"openapi":"3.1.0","paths":{},"x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ],
    ['lists in lists of YAML', `openapi: 3.1.0\npaths: ${'['.repeat(5_000)}`],
  ])('%s ends in words or in nothing', async (_, text) => {
    const read = await readOpenApi(text, options)
    if (!read.ok) expect(read.reason).toMatch(/nested too deeply|neither JSON nor YAML/)
  })

  it('aliases that multiply end in words', async () => {
    const lines = Array.from({ length: 20 }, (_, index) =>
      index === 0 ? 'a0: &a0 [x]' : `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`,
    )
    const read = await readOpenApi(['openapi: 3.1.0', 'paths: {}', ...lines].join('\n'), options)
    expect(read).toMatchObject({ ok: false })
  })

  it('what is wrong with it is told in words', async () => {
    const reason = 'The document is Swagger 2.0: convert it to OpenAPI 3 first.'
    expect(await readOpenApi('{"swagger": "2.0"}', options)).toEqual({ ok: false, reason })
  })

  it('a document that is too large is not looked at', async () => {
    const before = performance.now()
    expect(await readOpenApi('x'.repeat(MAX_DOCUMENT_BYTES + 1), options)).toEqual({
      ok: false,
      reason: 'The document is larger than 2 MiB.',
    })
    expect(performance.now() - before).toBeLessThan(200)
  })

  it('what takes all time keeps nothing else from running', async () => {
    // Each of these references is followed through all that come after it.
    const schemas = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [
        `s${index}`,
        { $ref: `#/components/schemas/s${index + 1}` },
      ]),
    )
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 10)
    const text = JSON.stringify({ ...orders, components: { schemas } })
    const read = await readOpenApi(text, options, { timeLimit: 700 })
    clearInterval(timer)
    expect(read).toEqual({ ok: false, reason: 'The document takes too long to read.' })
    expect(ticks).toBeGreaterThan(20)
  })

  it('takes turns: of many at once some are told to wait', async () => {
    const read = await Promise.all(Array.from({ length: 4 }, () => readOpenApi('{}', options)))
    const waiting = read.filter((each) => !each.ok && each.reason.includes('try again'))
    expect(waiting).toHaveLength(2)
    expect(await readOpenApi('{}', options)).toMatchObject({ reason: expect.stringContaining('OpenAPI 3') })
  })
})
