import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import {
  createLocalJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBrand } from './app.ts'

const BRAND_URL = 'http://localhost:3200'

let directory: string
let provider: Server
let interfaceUrl: string
let signingKey: CryptoKey
let brand: Hono

/** The metadata and the keys of an authorization server, and nothing else. */
async function startProvider(): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  signingKey = privateKey
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
  provider = createServer((request, response) => {
    const issuer = `${interfaceUrl}/oauth`
    const isKeys = request.url === '/a2a/B1/oauth/jwks.json'
    const isMetadata = request.url === '/.well-known/oauth-authorization-server/a2a/B1/oauth'
    response.writeHead(isKeys || isMetadata ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks.json` }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  interfaceUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/a2a/B1`
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-brand-'))
  await startProvider()
  brand = await buildBrand({ brandUrl: BRAND_URL, interfaceUrl, dataDir: directory })
})

afterAll(async () => {
  provider.close()
  await rm(directory, { recursive: true })
})

const consentUrl = () => `${interfaceUrl}/oauth/consent`

async function get(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const answer = await brand.request(path)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

async function login(fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(body.length),
  }
  const answer = await brand.request('/login', { method: 'POST', body, headers })
  return { status: answer.status, text: await answer.text() }
}

describe('the demo Brand: login', () => {
  it('shows its accounts, and nothing can be framed, kept or run', async () => {
    const { status, text, headers } = await get(
      `/login?return_to=${encodeURIComponent(`${consentUrl()}?user_code=WDJB-MJHT`)}`,
    )
    expect(status).toBe(200)
    expect(text).toContain('Jane Miller')
    expect(text).toContain('Tom Becker')
    expect(text).toContain('WDJB-MJHT')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  })

  it('posts an assertion that holds the login contract, to the consent URL without its query', async () => {
    const { text } = await login({ account: 'jane-4471', return_to: `${consentUrl()}?user_code=WDJB-MJHT` })
    expect(text).toContain(`action="${consentUrl()}"`)
    const assertion = /name="assertion" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const keys: JSONWebKeySet = JSON.parse((await get('/.well-known/jwks.json')).text)
    expect(JSON.stringify(keys)).not.toContain('"d"')
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      issuer: BRAND_URL,
      audience: consentUrl(),
    })
    expect(payload).toMatchObject({ sub: 'jane-4471', user_code: 'WDJB-MJHT', name: 'Jane Miller' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(300)
    expect(payload.jti).toBeTypeOf('string')
  })

  it('asks for the code where the link has none (RFC 8628 §3.3)', async () => {
    expect((await get(`/login?return_to=${encodeURIComponent(consentUrl())}`)).text).toContain(
      'name="user_code"',
    )
    const fields = { account: 'jane-4471', return_to: consentUrl() }
    expect((await login({ ...fields, user_code: 'nothing' })).status).toBe(400)
    expect((await login({ ...fields, user_code: 'wdjb-mjht' })).text).toContain('name="assertion"')
  })

  it('signs in for what the User has allowed, in place of a code', async () => {
    const returnTo = `${consentUrl()}?view=grants`
    const { text } = await get(`/login?return_to=${encodeURIComponent(returnTo)}`)
    expect(text).not.toContain('name="user_code"')
    const page = await login({ account: 'jane-4471', return_to: returnTo })
    const assertion = /name="assertion" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const claims = decodeJwt(assertion)
    expect(claims).toMatchObject({ aud: consentUrl(), sub: 'jane-4471', view: 'grants' })
    expect(claims).not.toHaveProperty('user_code')
  })

  it.each([
    ['another view', () => `${consentUrl()}?view=everything`],
    ['another host', () => 'https://evil.example/a2a/B1/oauth/consent'],
    ['a host that begins alike', () => `${new URL(interfaceUrl).origin}.evil.example/a2a/B1/oauth/consent`],
    ['another page of the Provider', () => `${interfaceUrl}/oauth/elsewhere`],
    ['another Brand', () => `${interfaceUrl}x/oauth/consent?user_code=WDJB-MJHT`],
    [
      'another Brand, its id as long',
      () => `${interfaceUrl.slice(0, -1)}2/oauth/consent?user_code=WDJB-MJHT`,
    ],
    ['a code that is none', () => `${consentUrl()}?user_code=WDJB-MJHT%26x=1`],
    ['nothing', () => ''],
  ])('returns nobody to %s', async (_what, returnTo) => {
    expect((await get(`/login?return_to=${encodeURIComponent(returnTo())}`)).status).toBe(400)
    const { status, text } = await login({ account: 'jane-4471', return_to: returnTo() })
    expect(status).toBe(400)
    expect(text).not.toContain('assertion')
  })

  it('refuses an account that is none', async () => {
    expect((await login({ account: 'eve', return_to: `${consentUrl()}?user_code=WDJB-MJHT` })).status).toBe(
      400,
    )
  })

  it('keeps its key, readable by its owner alone', async () => {
    const before = (await get('/.well-known/jwks.json')).text
    const again = await buildBrand({ brandUrl: BRAND_URL, interfaceUrl, dataDir: directory })
    expect(await (await again.request('/.well-known/jwks.json')).text()).toBe(before)
    expect((await stat(join(directory, 'demo-brand-login.json'))).mode & 0o777).toBe(0o600)
  })

  it('shows what was allowed as inert text', async () => {
    const { text } = await get(
      '/connected?status=approved&client=https://pa.example&scope=orders:read+%3Cb%3E',
    )
    expect(text).toContain('https://pa.example')
    expect(text).toContain('look up your orders')
    expect(text).not.toContain('<b>')
  })

  it('shows scopes that it knows, and no words that an address puts into its mouth', async () => {
    const { text } = await get(
      '/connected?status=approved&client=https://pa.example&scope=send+money+orders:read',
    )
    expect(text.match(/<li>.*?<\/li>/g)).toEqual(['<li>look up your orders and their status</li>'])
    expect((await get('/connected?status=approved&scope=nonsense')).text).not.toContain('<ul>')
  })

  it('claims of a denial no more than it knows, and leads to what is allowed', async () => {
    for (const status of ['denied', 'approved']) {
      expect((await get(`/connected?status=${status}`)).text).toContain(`href="${consentUrl()}?view=grants"`)
    }
    const { text } = await get('/connected?status=denied&client=https://pa.example')
    expect(text).toContain('What you allowed it before, if anything, is as you')
    expect(text).not.toContain('anything.')
  })
})

type Changes = { claims?: Record<string, unknown>; typ?: string; key?: CryptoKey }

async function token({ claims, typ = 'at+jwt', key = signingKey }: Changes = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    iss: `${interfaceUrl}/oauth`,
    aud: interfaceUrl,
    sub: 'jane-4471',
    client_id: 'https://pa.example',
    scope: 'orders:read orders:cancel',
    iat: now,
    exp: now + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ })
    .sign(key)
}

async function call(method: string, path: string, bearer?: string, headers: Record<string, string> = {}) {
  const all = bearer === undefined ? headers : { ...headers, Authorization: `Bearer ${bearer}` }
  const answer = await brand.request(`/api${path}`, { method, headers: all })
  return {
    status: answer.status,
    body: await answer.json(),
    challenge: answer.headers.get('WWW-Authenticate'),
  }
}

describe('the demo Brand: account API', () => {
  it('shows the orders of the token’s User', async () => {
    expect((await call('GET', '/orders', await token())).body.orders).toHaveLength(3)
    const toms = await call('GET', '/orders', await token({ claims: { sub: 'tom-1180' } }))
    expect(toms.body.orders).toEqual([{ number: 'A-86047', item: 'Rain jacket', status: 'delivered' }])
  })

  it.each<[string, Changes]>([
    ['another aud', { claims: { aud: 'https://other.example' } }],
    ['another iss', { claims: { iss: 'https://other.example' } }],
    ['an exp that has passed', { claims: { exp: 1 } }],
    ['no exp', { claims: { exp: undefined } }],
    ['no scope', { claims: { scope: undefined } }],
    ['another typ', { typ: 'pact-receipt+jws' }],
    ['an account that is none', { claims: { sub: 'eve' } }],
  ])('401 for a token with %s', async (_what, changes) => {
    const { status, challenge } = await call('GET', '/orders', await token(changes))
    expect(status).toBe(401)
    expect(challenge).toContain('error="invalid_token"')
  })

  it('401 for a token that somebody else signed, and for none', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    expect((await call('GET', '/orders', await token({ key: privateKey }))).status).toBe(401)
    expect((await call('GET', '/orders')).status).toBe(401)
  })

  it('403 names the scope that a call lacks (RFC 6750 §3.1)', async () => {
    const reader = await token({ claims: { scope: 'orders:read' } })
    const { status, challenge } = await call('POST', '/orders/A-88213/cancel', reader)
    expect(status).toBe(403)
    expect(challenge).toContain('error="insufficient_scope", scope="orders:cancel"')
    const canceller = await token({ claims: { scope: 'orders:cancel' } })
    expect((await call('GET', '/orders', canceller)).status).toBe(403)
  })

  it('cancels once per Idempotency-Key, and a key serves one request', async () => {
    const bearer = await token()
    const key = { 'Idempotency-Key': 'k-1' }
    const first = await call('POST', '/orders/A-88213/cancel', bearer, key)
    expect(first.body).toMatchObject({ order: { status: 'cancelled' }, refund: expect.any(String) })
    expect(await call('POST', '/orders/A-88213/cancel', bearer, key)).toEqual(first)
    expect((await call('POST', '/orders/A-87390/cancel', bearer, key)).status).toBe(422)
  })

  it('cancels no order that has shipped, and none of somebody else', async () => {
    const bearer = await token()
    expect((await call('POST', '/orders/A-87390/cancel', bearer)).status).toBe(409)
    expect((await call('POST', '/orders/A-86047/cancel', bearer)).status).toBe(404)
  })
})
