import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase, provideDelegation, SCOPES } from '#e2e/harness/delegating-brand.ts'
import { approve } from '#e2e/harness/device-codes.ts'
import { playPersonalAgents, type TestPersonalAgent } from '#e2e/harness/personal-agents.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { signPaToken } from '#e2e/harness/wire.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { handle } from '../handle.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
let played: Awaited<ReturnType<typeof playPersonalAgents>>
let agent: TestPersonalAgent
let token: string

beforeAll(async () => {
  provider = await openDelegatingDatabase()
  played = await playPersonalAgents(['played'])
  const [first] = played.agents
  if (!first) throw new Error('no personal agent')
  agent = first
  await provideDelegation([agent])
  token = await signPaToken(agent)
})
afterAll(async () => {
  await played.close()
  await provider.close()
})

const FORM = 'application/x-www-form-urlencoded'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

async function ask(path: string, init: RequestInit = {}, brandId = provider.brandId) {
  const response = await handle(new Request(`http://localhost/a2a/${brandId}/oauth/${path}`, init))
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? JSON.parse(text) : undefined,
  }
}

type Fields = Record<string, string> | string

function post(path: string, fields: Fields, options: { headers?: HeadersInit; brandId?: string } = {}) {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': FORM, ...options.headers }
  return ask(path, { method: 'POST', headers, body }, options.brandId)
}

const client = () => ({ client_id: agent.issuer })
const endpoints = ['device_authorization', 'token', 'revoke']
const documents = ['.well-known/oauth-authorization-server', 'jwks.json']

async function start(scope = 'orders:read orders:cancel') {
  return (await post('device_authorization', { ...client(), scope })).body
}

const poll = (deviceCode: string) =>
  post('token', { ...client(), grant_type: DEVICE_CODE, device_code: deviceCode })

async function logIn() {
  const started = await start()
  await approve(provider.brandId, started.user_code, { scopes: ['orders:read'] })
  return poll(started.device_code)
}

describe('§5.1 metadata and keys', () => {
  it('the metadata has every member that RFC 8414 requires, and those of RFC 8628 and RFC 7009', async () => {
    const { status, headers, body } = await ask('.well-known/oauth-authorization-server')
    const { issuer } = authorizationServer(provider.brandId)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body).toEqual({
      issuer,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/jwks.json`,
      scopes_supported: [...SCOPES],
      response_types_supported: [],
      grant_types_supported: [DEVICE_CODE, 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
    })
  })

  it('the metadata is the same at RFC 8414’s own place', async () => {
    const own = await handle(
      new Request(`http://localhost/.well-known/oauth-authorization-server/a2a/${provider.brandId}/oauth`),
    )
    expect(await own.text()).toBe((await ask('.well-known/oauth-authorization-server')).text)
  })

  it('the keys are public ones', async () => {
    const { status, headers, body } = await ask('jwks.json')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/jwk-set+json')
    expect(body.keys.length).toBeGreaterThan(0)
    for (const key of body.keys) {
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', kid: expect.any(String) })
      expect(key).not.toHaveProperty('d')
    }
  })

  it.each(documents)('%s is cacheable, and readable from any origin', async (path) => {
    const { headers } = await ask(path)
    expect(headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    const again = await ask(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const preflight = await ask(path, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })
})

describe('a Brand without delegation, or none', () => {
  it.each([...documents, ...endpoints])('answers 404 with nothing at %s', async (path) => {
    for (const brandId of [OTHER_BRAND_ID, '01KAA0B5V7S8Q0ZJ1M9T3X4WCZ', 'x']) {
      const isDocument = documents.includes(path)
      const answer = isDocument ? await ask(path, {}, brandId) : await post(path, client(), { brandId })
      expect([answer.status, answer.text]).toEqual([404, ''])
    }
  })
})

describe('§2.2, §3.4 the order of the rules', () => {
  it.each(endpoints)('%s: method, then the token, then the Brand, then the form', async (path) => {
    const wrongMethod = await ask(path)
    expect([wrongMethod.status, wrongMethod.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
    const headers = { Authorization: 'Bearer x.y.z', 'Content-Type': 'text/plain' }
    for (const brandId of [provider.brandId, OTHER_BRAND_ID]) {
      const { status, headers: answered, text } = await post(path, 'x', { headers, brandId })
      expect([status, answered.get('WWW-Authenticate'), text]).toEqual([401, 'Bearer realm="a2a"', ''])
    }
    expect((await post(path, 'x', { brandId: OTHER_BRAND_ID })).status).toBe(404)
  })
})

describe('RFC 6749 §5.2 what is wrong with a request', () => {
  const expectError = (answer: Awaited<ReturnType<typeof ask>>, status: number, error: string) => {
    expect([answer.status, answer.body?.error]).toEqual([status, error])
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Pragma')).toBe('no-cache')
  }

  it.each(endpoints)('%s: the form and its client', async (path) => {
    expectError(await post(path, {}), 400, 'invalid_request')
    expectError(await post(path, 'client_id='), 400, 'invalid_request')
    expectError(
      await post(path, JSON.stringify(client()), { headers: { 'Content-Type': 'application/json' } }),
      400,
      'invalid_request',
    )
    const twice = `${new URLSearchParams(client())}&x=1&x=1`
    expectError(await post(path, twice), 400, 'invalid_request')
    expectError(await post(path, { ...client(), x: 'x'.repeat(65 * 1024) }), 400, 'invalid_request')
    for (const other of [`${agent.issuer}/`, 'https://second.example', agent.issuer.toUpperCase()]) {
      const answer = await post(path, { client_id: other })
      expectError(answer, 401, 'invalid_client')
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="a2a"')
    }
  })

  it.each(['', ' ', 'orders:write', 'orders:read orders:write', 'orders:read\torders:cancel', 'Orders:read'])(
    'device_authorization: scope %j is invalid_scope',
    async (scope) => {
      expectError(await post('device_authorization', { ...client(), scope }), 400, 'invalid_scope')
    },
  )

  it('device_authorization: no scope is invalid_scope', async () => {
    expectError(await post('device_authorization', client()), 400, 'invalid_scope')
  })

  it.each([
    [{}, 'invalid_request'],
    [{ grant_type: '' }, 'invalid_request'],
    [{ grant_type: 'authorization_code' }, 'unsupported_grant_type'],
    [{ grant_type: '__proto__' }, 'unsupported_grant_type'],
    [{ grant_type: DEVICE_CODE }, 'invalid_request'],
    [{ grant_type: DEVICE_CODE, device_code: '' }, 'invalid_request'],
    [{ grant_type: DEVICE_CODE, device_code: 'dc_x' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'rt_x' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'rt_x', scope: '' }, 'invalid_scope'],
    [{ grant_type: 'refresh_token', refresh_token: 'rt_x', scope: 'nothing' }, 'invalid_scope'],
  ])('token: %j is %s', async (fields, error) => {
    expectError(await post('token', { ...client(), ...fields }), 400, error)
  })

  it('revoke: no token is invalid_request', async () => {
    expectError(await post('revoke', client()), 400, 'invalid_request')
  })
})

describe('§5.3 from the first request to the end', () => {
  it('starts, waits, slows down', async () => {
    const started = await post('device_authorization', { ...client(), scope: ' orders:cancel  orders:read ' })
    expect(started.status).toBe(200)
    expect(started.headers.get('Cache-Control')).toBe('no-store')
    expect(Object.keys(started.body)).toEqual([
      'device_code',
      'user_code',
      'verification_uri',
      'verification_uri_complete',
      'expires_in',
      'interval',
    ])
    expect((await poll(started.body.device_code)).body).toEqual({ error: 'authorization_pending' })
    expect((await poll(started.body.device_code)).body).toEqual({ error: 'slow_down' })
  })

  it('gives tokens of what was approved, refreshes and revokes them', async () => {
    const issued = await logIn()
    expect(issued.status).toBe(200)
    expect(issued.headers.get('Cache-Control')).toBe('no-store')
    expect(issued.body).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^rt_/),
      expires_in: 3600,
      scope: 'orders:read',
    })
    const refresh = { ...client(), grant_type: 'refresh_token' }
    const next = await post('token', {
      ...refresh,
      refresh_token: issued.body.refresh_token,
      scope: 'orders:read',
    })
    expect(next.body).toMatchObject({ token_type: 'Bearer', scope: 'orders:read' })
    const revoked = await post('revoke', {
      ...client(),
      token: next.body.refresh_token,
      token_type_hint: 'x',
    })
    expect([revoked.status, revoked.text]).toEqual([200, ''])
    const late = await post('token', { ...refresh, refresh_token: next.body.refresh_token })
    expect(late.body).toEqual({ error: 'invalid_grant' })
    expect((await post('revoke', { ...client(), token: next.body.refresh_token })).status).toBe(200)
  })
})

describe('RFC 6749 §5.2, whatever form comes', () => {
  const name = fc.constantFrom(
    'client_id',
    'grant_type',
    'device_code',
    'refresh_token',
    'scope',
    'token',
    'x',
  )
  const value = fc.oneof(
    fc.constantFrom(DEVICE_CODE, 'refresh_token', 'orders:read', 'dc_x', 'rt_x', ''),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constant(undefined).map(() => agent.issuer),
  )
  const form = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((fields) =>
      fields.map((field) => field.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&'),
    )
  const errors = [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'unsupported_grant_type',
    'authorization_pending',
  ]

  async function expectShaped(path: string, body: string | Uint8Array<ArrayBuffer>, type = FORM) {
    const init = { method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': type }, body }
    const answer = await ask(path, init)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    if (answer.status === 200) return
    expect([answer.status, errors.includes(answer.body.error)]).toEqual([
      answer.body.error === 'invalid_client' ? 401 : 400,
      true,
    ])
    expect(answer.body.error_description ?? '').toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/)
  }

  it('of any fields', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), form, (path, body) => expectShaped(path, body)),
      { numRuns: 500 },
    ))

  it('of any bytes, of any type', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpoints),
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(FORM, `${FORM}; charset=UTF-8`, 'text/plain', 'application/json', `${FORM}x`),
        (path, bytes, type) => expectShaped(path, Uint8Array.from(bytes), type),
      ),
      { numRuns: 300 },
    ))
})
