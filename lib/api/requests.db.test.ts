import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, type Sent, startTestApi, type TestApi, tokenOf } from '#e2e/harness/api.ts'
import { storeThings } from '#e2e/harness/console-things.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { apiLimiter, REQUESTS_PER_MINUTE } from './authenticate.ts'
import { operations } from './operations.ts'

let api: TestApi
let admin: string

const call = (method: string, path: string, sent?: Sent) => callApi(admin, method, path, sent)

beforeAll(async () => {
  api = await startTestApi()
  admin = api.users.admin.token
  for (const [brandId, member] of [
    [BRAND_ID, 'manager'],
    [OTHER_BRAND_ID, 'otherManager'],
  ] as const) {
    await call('POST', '/invitations', {
      body: { email: 'x@brand.example', roles: [{ brand: brandId, role: 'viewer' }] },
    })
    await storeThings(brandId, member)
  }
  const draft = { brandId: BRAND_ID, number: 2, published: false, settings: {}, savedBy: 'somebody' }
  await prisma().agentVersion.create({ data: draft })
}, 60_000)
afterAll(() => api.close())

describe('lists', () => {
  const lists = () =>
    operations()
      .filter(({ query }) => query && 'limit' in query.shape)
      .map(({ id, path }) => ({ id, path: path.replace('{brandId}', BRAND_ID) }))

  it('go page by page through all that they have, whatever the size of a page', async () => {
    expect(lists().map(({ id }) => id)).toHaveLength(10)
    for (const { path } of lists()) {
      const whole = await call('GET', `${path}?limit=100`)
      expect(whole.body.data.length, path).toBeGreaterThan(1)
      expect(whole.body.nextCursor, path).toBeNull()
      const seen: unknown[] = []
      let cursor = ''
      do {
        const page = await call('GET', `${path}?limit=1${cursor && `&cursor=${cursor}`}`)
        expect(page.body.data, path).toHaveLength(1)
        seen.push(...page.body.data)
        cursor = page.body.nextCursor ?? ''
      } while (cursor && seen.length < 200)
      expect(seen, path).toEqual(whole.body.data)
    }
  })

  it('refuse what they do not understand, by name', async () => {
    const { status, body } = await call('GET', '/grants?limit=0&state=alive&colour=red&brand=x&brand=y')
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'brand',
      'colour',
      'limit',
      'state',
    ])
    for (const { path } of lists()) {
      for (const cursor of ['x', '%00', 'AAAA', Buffer.from('1 \0').toString('base64url')]) {
        const answer = await call('GET', `${path}?cursor=${cursor}`)
        // Of members a cursor is a text, and any will do.
        expect([200, 400], `${path} ${cursor}`).toContain(answer.status)
      }
    }
  })
})

describe('what is replaced', () => {
  const path = `/brands/${BRAND_ID}`

  it('needs the version that was read, and of two who replace it at once one is told', async () => {
    const read = await call('GET', path)
    const etag = read.headers.get('ETag') ?? ''
    const body = { ...read.body.settings, description: 'Changed.' }
    expect((await call('PUT', path, { body })).status).toBe(428)
    for (const wrong of ['"x"', '*', `W/${etag}`, '"zzzzzzzzzz"'])
      expect((await call('PUT', path, { body, headers: { 'If-Match': wrong } })).status, wrong).toBe(412)
    const answers = await Promise.all(
      ['One.', 'Other.'].map((description) =>
        call('PUT', path, { body: { ...body, description }, headers: { 'If-Match': etag } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const saved = answers.find(({ status }) => status === 200)
    expect((await call('GET', path)).headers.get('ETag')).toBe(saved?.headers.get('ETag'))
  })

  it('is checked by the rules of the provision file, each fault at its place', async () => {
    const { body: read, headers } = await call('GET', path)
    const skills = [{ id: 'a b', name: '', description: 'd', tag: [] }]
    const answer = await call('PUT', path, {
      body: { ...read.settings, skills },
      headers: { 'If-Match': headers.get('ETag') ?? '' },
    })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect(answer.body.errors.map((each: { path: string }) => each.path).sort()).toEqual([
      'skills[0].id',
      'skills[0].name',
      'skills[0].tag',
    ])
  })

  it('comes back as it was sent: the Provider, too', async () => {
    const read = await call('GET', '/provider')
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const written = await call('PUT', '/provider', {
      body: { ...read.body, organization: 'Another' },
      headers,
    })
    expect(written.body).toEqual({ ...read.body, organization: 'Another' })
  })
})

describe('personal agents', () => {
  it('are registered, changed and switched; an issuer only once', async () => {
    const body = { name: 'New', issuer: 'https://new.example', jwksUri: 'https://new.example/jwks.json' }
    const made = await call('POST', '/personal-agents', { body })
    expect(made.status).toBe(201)
    const path = made.headers.get('Location')?.slice('/api/v1'.length) ?? ''
    expect((await call('GET', path)).body).toEqual(made.body)
    expect((await call('POST', '/personal-agents', { body })).status).toBe(409)
    const headers = { 'If-Match': made.headers.get('ETag') ?? '' }
    expect(
      (await call('PUT', path, { body: { ...body, issuer: 'https://o.example' }, headers })).status,
    ).toBe(422)
    expect((await call('PUT', path, { body: { ...body, name: 'Renamed' }, headers })).body.name).toBe(
      'Renamed',
    )
    expect((await call('POST', `${path}/disable`)).body.enabled).toBe(false)
    const [event] = (await call('GET', '/audit?limit=1')).body.data
    expect(event).toMatchObject({
      actorKind: 'token',
      actorId: api.users.admin.tokenId,
      actor: 'test (admin@provider.example)',
      action: 'personal-agent.update',
      after: { enabled: false },
    })
  })
})

describe('grants', () => {
  it('are revoked by a filter, after their number was said, and not those that come later', async () => {
    const { grantId } = await api.sender.allow('orders:read')
    expect((await call('POST', '/grants/revoke-matching', { body: {} })).status).toBe(422)
    const body = { brand: BRAND_ID, scope: 'orders:read' }
    const counted = await call('POST', '/grants/revoke-matching', { body: { ...body, dryRun: true } })
    expect(counted.body).toMatchObject({ count: 2, complete: false })
    const later = await api.sender.allow('orders:read')
    const sent = { ...body, countedAt: counted.body.countedAt }
    const revoked = await call('POST', '/grants/revoke-matching', { body: sent })
    expect(revoked.body).toMatchObject({ count: 2, complete: true })
    expect((await call('GET', `/grants/${grantId}`)).body).toMatchObject({ state: 'revoked' })
    expect((await call('POST', `/grants/${later.grantId}/revoke`)).body).toEqual({ changed: true })
    expect((await call('POST', `/grants/${later.grantId}/revoke`)).body).toEqual({ changed: false })
  })
})

describe('files', () => {
  it('are exported whole: receipts and the audit log as JSON Lines and CSV, the Provider as YAML', async () => {
    const receipts = await call('GET', '/receipts/export')
    expect(receipts.headers.get('Content-Type')).toMatch('application/jsonl')
    expect(receipts.text.trim().split('\n')).toHaveLength(2)
    const audit = await call('GET', `/audit/export?format=csv&brand=${BRAND_ID}`)
    expect(audit.text).toMatch(/^id,at,actorKind/)
    expect((await call('GET', '/provision')).text).toMatch(/^provider:/)
    expect((await call('GET', '/receipts/export?format=xml')).status).toBe(400)
  })
})

describe('what a caller sends', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const bodies = [
    'null',
    '[]',
    '"x"',
    '{',
    '{"name":"\\u0000","token":"\\ud800","receipt":"a.b.c"}',
    '{"__proto__":{}}',
    nested(20_000),
    '{"from":{},"to":[],"force":"yes","rotateEveryDays":1e400,"countedAt":"now","dryRun":1,"place":7}',
  ]

  it('is never answered with 500, whatever it is', async () => {
    for (const { id, method, path } of operations()) {
      const filled = path.replace('{brandId}', BRAND_ID).replace(/\{\w+\}/g, '%00%20..')
      for (const text of method === 'GET' ? [undefined] : bodies) {
        const headers = { 'If-Match': '"1"', 'Idempotency-Key': `hostile-${id}` }
        const sent = text === undefined ? {} : { text, headers }
        const { status } = await call(
          method,
          `${filled}${text === undefined ? '?q=%00&cursor=%ff' : ''}`,
          sent,
        )
        expect(status, `${method} ${filled} ${text?.slice(0, 80)}`).toBeLessThan(500)
        expect(status, `${method} ${filled} ${text?.slice(0, 80)}`).toBeGreaterThanOrEqual(400)
      }
    }
  })

  it('says what is wrong with a body before it is looked at', async () => {
    const path = '/receipts/verify'
    const statusOf = async (sent: Sent) => (await call('POST', path, sent)).status
    expect(await statusOf({ text: '{' })).toBe(400)
    expect(await statusOf({ text: 'a=b', headers: { 'Content-Type': 'text/plain' } })).toBe(415)
    expect(await statusOf({ body: { receipt: 'x'.repeat(256 * 1024) } })).toBe(413)
    expect(await statusOf({ body: { receipt: 'a.b.c', more: 1 } })).toBe(422)
    expect(await statusOf({ body: { receipt: 'a.b.c' } })).toBe(200)
  })

  it('finds no other address and no other method', async () => {
    expect((await call('GET', '/nothing')).status).toBe(404)
    expect((await call('GET', `/brands/${BRAND_ID}/`)).status).toBe(404)
    expect((await call('GET', '/brands/%E0%A4%A')).status).toBe(404)
    for (const method of ['DELETE', 'PATCH', 'OPTIONS', 'PUT']) {
      const answer = await call(method, '/brands')
      expect(answer.status, method).toBe(405)
      expect(answer.headers.get('Allow')).toBe('GET, POST, HEAD')
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    const head = await call('HEAD', '/brands')
    expect([head.status, head.text]).toEqual([200, ''])
  })
})

describe('what everyone may read', () => {
  it('is the document, and what each problem means', async () => {
    const document = await callApi('', 'GET', '/openapi.json')
    expect(document.body.openapi).toBe('3.1.1')
    const problem = await callApi('', 'GET', '/brands')
    expect(problem.headers.get('Content-Type')).toBe('application/problem+json')
    const type = new URL(problem.body.type)
    const described = await callApi('', 'GET', type.pathname.slice('/api/v1'.length))
    expect(described.body).toMatchObject({ type: type.href, status: 401 })
    expect((await callApi('', 'GET', '/problems/constructor')).status).toBe(404)
  })
})

describe('API tokens', () => {
  it('see and end their owner’s tokens; what has ended lets nobody in', async () => {
    const { viewer } = api.users.manager
    const first = await tokenOf(viewer)
    const second = await tokenOf(viewer, { brandId: BRAND_ID })
    const { data } = (await callApi(first.token, 'GET', '/tokens')).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id, api.users.manager.tokenId])
    expect(JSON.stringify(data)).not.toContain(first.token.slice(12))
    const seen = (await callApi(second.token, 'GET', '/tokens')).body.data
    expect(seen.map(({ id }: { id: string }) => id)).toEqual([second.id])
    expect((await callApi(second.token, 'POST', `/tokens/${first.id}/revoke`)).status).toBe(404)
    expect((await callApi(admin, 'POST', `/tokens/${first.id}/revoke`)).status).toBe(404)
    expect((await callApi(first.token, 'POST', `/tokens/${first.id}/revoke`)).body).toEqual({ changed: true })
    expect((await callApi(first.token, 'GET', '/tokens')).status).toBe(401)
    await prisma().apiToken.update({ where: { id: second.id }, data: { expiresAt: new Date() } })
    expect((await callApi(second.token, 'GET', '/tokens')).status).toBe(401)
  })

  it('note their last use at most once a minute', async () => {
    const { id, token } = await tokenOf(api.users.viewer.viewer)
    const lastUse = async () => (await prisma().apiToken.findUniqueOrThrow({ where: { id } })).lastUsedAt
    await callApi(token, 'GET', '/tokens')
    const first = await lastUse()
    await callApi(token, 'GET', '/tokens')
    expect(await lastUse()).toEqual(first)
    const before = new Date(Date.now() - 61_000)
    await prisma().apiToken.update({ where: { id }, data: { lastUsedAt: before } })
    await callApi(token, 'GET', '/tokens')
    expect((await lastUse())?.getTime()).toBeGreaterThan(before.getTime())
  })

  it('may come so often in a minute, and are told when they may again', async () => {
    const { id, token } = await tokenOf(api.users.viewer.viewer)
    await apiLimiter().penalty(id, REQUESTS_PER_MINUTE - 1)
    expect((await callApi(token, 'GET', '/tokens')).status).toBe(200)
    const answer = await callApi(token, 'GET', '/tokens')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await call('GET', '/tokens')).status).toBe(200)
  })
})
