import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approve } from '#e2e/harness/device-codes.ts'
import { DEVICE_CODE, type OAuthCalls, openOAuthCalls } from '#e2e/harness/oauth-calls.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'

let calls: OAuthCalls

beforeAll(async () => {
  calls = await openOAuthCalls()
})
afterAll(() => calls.close())

type Answer = Awaited<ReturnType<OAuthCalls['ask']>>

const ask: OAuthCalls['ask'] = (...call) => calls.ask(...call)
const post: OAuthCalls['post'] = (...call) => calls.post(...call)

const client = () => ({ client_id: calls.agent.issuer })
const endpoints = ['device_authorization', 'token', 'revoke']
const documents = ['.well-known/oauth-authorization-server', 'jwks.json']

async function start(scope = 'orders:read orders:cancel') {
  return (await post('device_authorization', { ...client(), scope })).body
}

const poll = (deviceCode: string) =>
  post('token', { ...client(), grant_type: DEVICE_CODE, device_code: deviceCode })

async function logIn() {
  const started = await start()
  await approve(calls.brandId, started.user_code, { scopes: ['orders:read'] })
  return poll(started.device_code)
}

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
    for (const brandId of [calls.brandId, OTHER_BRAND_ID]) {
      const { status, headers: answered, text } = await post(path, 'x', { headers, brandId })
      expect([status, answered.get('WWW-Authenticate'), text]).toEqual([401, 'Bearer realm="a2a"', ''])
    }
    expect((await post(path, 'x', { brandId: OTHER_BRAND_ID })).status).toBe(404)
  })
})

describe('RFC 6749 §5.2 what is wrong with a request', () => {
  const expectError = (answer: Answer, status: number, error: string) => {
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
    for (const other of [
      `${calls.agent.issuer}/`,
      'https://second.example',
      calls.agent.issuer.toUpperCase(),
    ]) {
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
    [{ grant_type: 'refresh_token', refresh_token: 'rt_x', scope: '' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'rt_x', scope: ' ' }, 'invalid_scope'],
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
      scope: '',
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
