import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, type Sent, startTestApi, type TestApi } from '#e2e/harness/api.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'

let api: TestApi
const at = `/brands/${BRAND_ID}/agent`

beforeAll(async () => {
  api = await startTestApi()
}, 60_000)
afterAll(() => api.close())

const call = (method: string, path: string, sent?: Sent) =>
  callApi(api.users.manager.token, method, path, sent)

/** As {@link call}, with the version of the agent that is edited now. */
async function change(method: string, path: string, body?: unknown) {
  const etag = (await call('GET', at)).headers.get('ETag') ?? ''
  return call(method, path, { ...(body === undefined ? {} : { body }), headers: { 'If-Match': etag } })
}

const agent = (fallback: string) => ({ driver: 'scripted', rules: [], fallback })
const greets = { name: 'Greets', turns: [{ say: 'Hi', has: ['hello'] }] }
const pathsOf = ({ body }: { body: { errors: { path: string }[] } }) => body.errors.map(({ path }) => path)

describe('the agent that is edited', () => {
  it('is what answers, until a draft is saved', async () => {
    const read = await call('GET', at)
    expect(read.body).toMatchObject({ number: 1, isDraft: false, agent: { driver: 'scripted' }, secrets: [] })
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    expect((await call('PUT', at, { body: agent('Hello.') })).status).toBe(428)
    const [one, other] = await Promise.all([
      call('PUT', at, { body: agent('Hello.'), headers }),
      call('PUT', at, { body: agent('Hello.'), headers }),
    ])
    expect([one.status, other.status].sort()).toEqual([200, 412])
    const saved = one.status === 200 ? one : other
    expect(saved.body).toMatchObject({ number: 2, isDraft: true, agent: agent('Hello.') })
    expect((await call('GET', at)).headers.get('ETag')).toBe(saved.headers.get('ETag'))
    const brand = await call('GET', `/brands/${BRAND_ID}`)
    expect(brand.body.settings.agent.fallback).not.toBe('Hello.')
  })

  it('is checked as in the editor, each fault at its place', async () => {
    const tool = {
      name: 'stock',
      description: 'Stock.',
      scope: 'stock:read',
      arguments: { type: 'object', properties: { a: { const: 'x\0' } } },
      request: { method: 'GET', url: 'https://api.brand.example/stock' },
    }
    expect(pathsOf(await change('PUT', at, { ...agent(' '), tools: [tool] }))).toEqual([
      'tools[0].arguments.properties.a.const',
    ])
    const storable = { ...tool, arguments: { type: 'object' } }
    expect(pathsOf(await change('PUT', at, { ...agent(' '), tools: [storable] }))).toEqual(['fallback'])
    const foreign = await change('PUT', at, { ...agent('Hello.'), tools: [storable] })
    expect([foreign.status, pathsOf(foreign)]).toEqual([422, ['tools[0].scope']])
    expect(pathsOf(await change('PUT', at, { ...agent('Hello.'), checks: [] }))).toEqual(['checks'])
  })

  it('keeps no secret: it is given by its name when the agent is published', async () => {
    const model = { endpoint: 'https://models.example/v1', model: 'm', instructions: 'Help.' }
    const refused = await change('PUT', at, { driver: 'llm', ...model, apiKey: 'sk-1' })
    expect(pathsOf(refused)).toEqual(['apiKey'])
    const header = { name: 'X-Key', value: 'k-1' }
    const request = { method: 'GET', url: 'https://api.brand.example/stock', header }
    const tool = { name: 'stock', description: 'Stock.', request }
    const written = await change('PUT', at, { ...agent('Hello.'), tools: [tool] })
    expect(pathsOf(written)).toEqual(['tools[0].request.header.value'])
    const { body } = await change('PUT', at, { driver: 'llm', ...model })
    const named = { name: 'llm.apiKey', origin: 'https://models.example' }
    expect(body.secrets).toEqual([{ ...named, storedFor: null }])
    const unknown = await change('POST', `${at}/publish`, { secrets: { 'tool.x.header': 'k' } })
    expect(pathsOf(unknown)).toEqual(['secrets["tool.x.header"]'])
    const published = await change('POST', `${at}/publish`, { secrets: { 'llm.apiKey': 'sk-1' } })
    expect([published.status, published.text.includes('sk-1')]).toEqual([200, false])
    const now = await call('GET', at)
    expect(now.body).toMatchObject({ isDraft: false, secrets: [{ ...named, storedFor: named.origin }] })
    expect(published.headers.get('ETag')).toBe(now.headers.get('ETag'))
  })
})

describe('the history', () => {
  it('is listed page by page, read, compared and restored', async () => {
    const first = await call('GET', `${at}/versions?limit=1`)
    const { number } = first.body.data[0]
    expect(first.body.data).toMatchObject([{ published: true }])
    const next = await call('GET', `${at}/versions?limit=1&cursor=${first.body.nextCursor}`)
    expect(next.body.data).toMatchObject([{ number: number - 1, published: false }])
    expect((await call('GET', `${at}/versions/2`)).body).toMatchObject({ settings: agent('Hello.') })
    for (const none of ['0', '999', 'x', '-1', '1e3', '%00']) {
      expect((await call('GET', `${at}/versions/${none}`)).status, none).toBe(404)
    }
    const { data } = (await call('GET', `${at}/versions/2/difference`)).body
    expect(data).toContainEqual({ field: 'driver', before: 'scripted', after: 'llm' })
    expect((await call('POST', `${at}/versions/2/restore`)).status).toBe(428)
    const restored = await change('POST', `${at}/versions/2/restore`)
    expect([restored.status, restored.body]).toEqual([200, { number: number + 1 }])
    expect((await call('GET', at)).body).toMatchObject({ isDraft: true, agent: agent('Hello.') })
  })
})

describe('checks', () => {
  it('are replaced, with faults at their places', async () => {
    const path = `${at}/checks`
    const read = await call('GET', path)
    expect(read.body).toEqual({ data: [] })
    const put = async (data: unknown) => {
      const etag = (await call('GET', path)).headers.get('ETag') ?? ''
      return call('PUT', path, { body: { data }, headers: { 'If-Match': etag } })
    }
    expect(pathsOf(await put([greets, greets]))).toEqual(['data[1].name'])
    expect(pathsOf(await put([{ ...greets, turns: [] }]))).toEqual(['data[0].turns'])
    expect((await put([greets])).body.data).toMatchObject([{ name: 'Greets' }])
    const late = await call('PUT', path, {
      body: { data: [] },
      headers: { 'If-Match': read.headers.get('ETag') ?? '' },
    })
    expect(late.status).toBe(412)
  })

  it('are run, and keep a draft from being published unless that is overridden', async () => {
    await change('PUT', at, agent('Good day.'))
    const report = await call('POST', `${at}/checks/run`)
    expect(report.body).toMatchObject({
      passed: false,
      data: [
        {
          name: 'Greets',
          passed: false,
          turns: [{ say: 'Hi', reply: 'Good day.', faults: ['the reply lacks “hello”'], calls: [] }],
        },
      ],
    })
    const refused = await change('POST', `${at}/publish`, {})
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      type: expect.stringContaining('/problems/checks-failed'),
      failed: [{ name: 'Greets', passed: false }],
    })
    expect((await call('GET', at)).body.isDraft).toBe(true)
    const published = await change('POST', `${at}/publish`, { override: true })
    expect(published.body.checks).toMatchObject([{ name: 'Greets', passed: false }])
    const event = await prisma().auditEvent.findFirst({ where: { action: 'agent.publish-despite-checks' } })
    expect(event).toMatchObject({ actorKind: 'token', brandId: BRAND_ID, after: { failed: ['Greets'] } })
    await change('PUT', at, agent('Hello there.'))
    expect((await call('POST', `${at}/checks/run`)).body.passed).toBe(true)
    expect((await change('POST', `${at}/publish`, {})).status).toBe(200)
  })
})

describe('an OpenAPI document', () => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://api.brand.example' }],
    paths: {
      '/orders/{id}': {
        get: {
          operationId: 'readOrder',
          summary: 'An order',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        },
        head: { operationId: 'peek' },
      },
    },
  }
  const read = (body: unknown) => call('POST', `${at}/openapi`, { body })

  it('becomes tools, or says why not', async () => {
    const { status, body } = await read({ document: JSON.stringify(document) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'Shop', more: 0 })
    const [order, peek] = body.data
    expect(order).toMatchObject({
      method: 'GET',
      path: '/orders/{id}',
      tool: { request: { method: 'GET', url: 'https://api.brand.example/orders/{id}' } },
    })
    expect(peek.unsupported).toEqual(expect.any(String))
    const saved = await change('PUT', at, { ...agent('Hello there.'), tools: [order.tool] })
    expect(saved.status).toBe(200)
  })

  it.each([
    [{}, 'document'],
    [{ document: 'nothing' }, 'document'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ url: 'https://10.0.0.1/openapi.json' }, 'url'],
    [{ document: '\0' }, 'document'],
  ])('%j is refused at its place', async (body, path) => {
    const answer = await read(body)
    expect([answer.status, pathsOf(answer)]).toEqual([422, [path]])
  })

  it('is not read more often than ten times a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => read({ url: 'file:///x' })))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})

describe('the Provider’s own network', () => {
  it('is opened to a Brand’s tools by Provider admins alone', async () => {
    const path = `/brands/${BRAND_ID}`
    const put = async (token: string) => {
      const { headers, body } = await callApi(token, 'GET', path)
      const settings = { ...body.settings, privateNetworks: true }
      return callApi(token, 'PUT', path, {
        body: settings,
        headers: { 'If-Match': headers.get('ETag') ?? '' },
      })
    }
    const refused = await put(api.users.manager.token)
    expect([refused.status, pathsOf(refused)]).toEqual([422, ['privateNetworks']])
    const opened = await put(api.users.admin.token)
    expect([opened.status, opened.body.settings.privateNetworks]).toEqual([200, true])
  })
})
