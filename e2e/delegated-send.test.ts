import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { compactVerify, createRemoteJWKSet } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { startBrandApi, type TestBrandApi } from './harness/brand-api.ts'
import { approve } from './harness/device-codes.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import { startTestProvider, type TestProcess, type TestProvider } from './harness/provider.ts'
import { buildSendBody, signPaToken } from './harness/wire.ts'

let api: TestBrandApi
let provider: TestProvider
let doors: { name: string; url: string }[]
let other: TestProcess

beforeAll(async () => {
  api = await startBrandApi()
  provider = await startTestProvider({
    provision: (agents) => buildOrderAgentProvision(agents, { api: api.origin }),
  })
  // Consent is given in the database, in place of a browser.
  setDatabaseUrl(provider.databaseUrl)
  const env = { PROVIDER_URL: provider.url }
  other = await provider.startProcess({ env })
  const nextDoor = await provider.startProcess({ lane: false, env })
  doors = [
    { name: 'the lane', url: provider.url },
    { name: 'another process', url: other.url },
    { name: 'Next’s door', url: nextDoor.url },
  ]
})
afterAll(async () => {
  await closeDatabase()
  await provider.close()
  await api.close()
})

beforeEach(() => {
  api.calls.length = 0
  api.answerWith(({ path }) => ({
    json: path === '/orders' ? { orders: [{ number: 'A-1', status: 'packed' }] } : { refund: '12 EUR.' },
  }))
})

/** A POST with headers as they are, those that come twice included. */
async function post(url: string, headers: string[], body: string) {
  const asked = request(url, { method: 'POST', headers: [...headers, 'Host', new URL(url).host] })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject)
  })
  asked.end(body)
  const response = await answered
  const content = await text(response)
  const challenge = response.headers['www-authenticate']
  return { status: response.statusCode, challenge, content, body: content ? JSON.parse(content) : {} }
}

async function send(door: string, subject: string, say: string, tokens: string[], message = {}) {
  const pa = await signPaToken(provider.personalAgent, { sub: subject })
  const headers = ['Authorization', `Bearer ${pa}`, 'Content-Type', 'application/json']
  for (const token of tokens) headers.push('X-A2A-User-Delegation', `Bearer ${token}`)
  const body = JSON.stringify(buildSendBody(say, message))
  return post(`${door}/a2a/${provider.brandId}/message:send`, headers, body)
}

async function form(subject: string, path: string, fields: Record<string, string>) {
  const pa = await signPaToken(provider.personalAgent, { sub: subject })
  const client_id = provider.personalAgent.issuer
  const headers = ['Authorization', `Bearer ${pa}`, 'Content-Type', 'application/x-www-form-urlencoded']
  const body = new URLSearchParams({ client_id, ...fields }).toString()
  return post(`${provider.url}/a2a/${provider.brandId}/oauth/${path}`, headers, body)
}

/** §5.3 on the wire, with the User's decision made in the database. */
async function getToken(subject: string, scopes: string[]): Promise<string> {
  const started = await form(subject, 'device_authorization', { scope: scopes.join(' ') })
  const { device_code, user_code } = started.body
  await approve(provider.brandId, user_code, { scopes })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return (await form(subject, 'token', { grant_type, device_code })).body.access_token
}

const badToken = { status: 401, challenge: 'Bearer realm="a2a", error="invalid_token"', content: '' }

describe('§5.5, §5.6 on the wire', () => {
  it('a token from the token endpoint works at every door; a replay is the same everywhere', async () => {
    const subject = randomUUID()
    const token = await getToken(subject, ['orders:read', 'orders:cancel'])
    const keys = createRemoteJWKSet(new URL(`${provider.url}/a2a/${provider.brandId}/oauth/jwks.json`))
    for (const { name, url } of doors) {
      const messageId = randomUUID()
      const first = await send(url, subject, 'cancel A-1', [token], { messageId })
      expect(first.body.message?.parts, name).toEqual([{ text: 'Order A-1 is cancelled. 12 EUR.' }])
      const { jws, claims } = first.body.message.metadata['pact.receipt']
      const { payload } = await compactVerify(jws, keys)
      expect(JSON.parse(new TextDecoder().decode(payload)), name).toEqual(claims)
      const message = { messageId, contextId: first.body.message.contextId }
      for (const door of doors) {
        expect((await send(door.url, subject, 'cancel A-1', [token], message)).content).toBe(first.content)
      }
    }
    expect(api.calls).toHaveLength(2 * doors.length)
    const used = new Set(api.calls.map(({ headers }) => headers['idempotency-key']))
    expect(used.size).toBe(api.calls.length)
  })

  it('bad tokens get the §5.5 401 at every door, and so does a header that comes twice', async () => {
    const subject = randomUUID()
    const token = await getToken(subject, ['orders:read'])
    for (const { name, url } of doors) {
      for (const tokens of [[`${token}x`], ['x'], [''], [token, token]]) {
        expect(await send(url, subject, 'hello', tokens), name).toMatchObject(badToken)
      }
    }
  })

  it('a step-up begun at one door goes on at another, with the same messageId', async () => {
    const subject = randomUUID()
    for (const [index, { url }] of doors.entries()) {
      const messageId = randomUUID()
      const stepUp = await send(url, subject, 'my orders', [], { messageId })
      const { contextId, metadata } = stepUp.body.task
      const link = new URL(metadata['pact.verificationUriComplete'])
      const userCode = new URL(link.searchParams.get('return_to') ?? '').searchParams.get('user_code') ?? ''
      await approve(provider.brandId, userCode, { scopes: metadata['pact.missingScopes'] })
      const token = await getToken(subject, ['orders:read'])
      const next = doors[(index + 1) % doors.length]?.url ?? ''
      const reply = await send(next, subject, 'my orders', [token], { messageId, contextId })
      expect(reply.body.message).toMatchObject({ contextId, parts: [{ text: 'A-1: packed.' }] })
    }
  })

  it('a revocation at one process acts at once at the others', async () => {
    const subject = randomUUID()
    const token = await getToken(subject, ['orders:read'])
    for (const { url } of doors) expect((await send(url, subject, 'hello', [token])).status).toBe(200)
    expect((await form(subject, 'revoke', { token })).status).toBe(200)
    for (const { url } of doors) expect(await send(url, subject, 'hello', [token])).toMatchObject(badToken)
  })

  it('no connection is held while tools run', async () => {
    const subject = randomUUID()
    const token = await getToken(subject, ['orders:read'])
    const gate = Promise.withResolvers<void>()
    api.answerWith(async () => {
      await gate.promise
      return { json: { orders: [] } }
    })
    // More turns than the process may open connections.
    const waiting = Array.from({ length: 30 }, () => send(provider.url, subject, 'my orders', [token]))
    await expect.poll(() => api.calls.length, { timeout: 5_000 }).toBe(30)
    expect((await send(provider.url, subject, 'hello', [token])).status).toBe(200)
    gate.resolve()
    expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true)
  })
})
