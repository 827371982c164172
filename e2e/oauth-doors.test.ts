import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDelegatingProvision } from './harness/delegating-brand.ts'
import { answerOf, type Sample } from './harness/door-answers.ts'
import { startTestProvider, type TestProcess, type TestProvider } from './harness/provider.ts'
import { signPaToken } from './harness/wire.ts'

let provider: TestProvider
let nextDoor: TestProcess
let token: string

beforeAll(async () => {
  provider = await startTestProvider({ provision: (agents) => buildDelegatingProvision(agents) })
  // The same address in every document, so that the two answers can be compared byte for byte.
  nextDoor = await provider.startProcess({ lane: false, env: { PROVIDER_URL: provider.url } })
  token = await signPaToken(provider.personalAgent)
})
afterAll(() => provider.close())

const METADATA = '/.well-known/oauth-authorization-server'

function documentSamples(): Sample[] {
  const server = `/a2a/${provider.brandId}/oauth`
  const without = `/a2a/${provider.otherBrandId}/oauth`
  const paths = [
    server + METADATA,
    METADATA + server,
    `${server}/jwks.json`,
    without + METADATA,
    METADATA + without,
    `${without}/jwks.json`,
    `${METADATA}/a2a/nobody/oauth`,
    `${METADATA}/nothing`,
    `${METADATA}${server}/`,
    `${METADATA}${server}?x=1`,
    `${server}/nothing`,
  ]
  return paths.flatMap((path) =>
    ['GET', 'HEAD', 'OPTIONS', 'POST'].map((method) => ({ name: `${method} ${path}`, path, method })),
  )
}

function formSamples(): Sample[] {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const client_id = provider.personalAgent.issuer
  const forms = [
    '',
    'x=1&x=1',
    new URLSearchParams({ client_id: 'https://somebody.example' }).toString(),
    new URLSearchParams({ client_id, scope: 'orders:write', grant_type: 'x', token: 'x' }).toString(),
    new URLSearchParams({ client_id, grant_type: 'refresh_token', refresh_token: 'rt_x' }).toString(),
    new URLSearchParams({ client_id, x: 'x'.repeat(70_000) }).toString(),
  ]
  return [provider.brandId, provider.otherBrandId].flatMap((brandId) =>
    ['device_authorization', 'token', 'revoke'].flatMap((endpoint) => {
      const path = `/a2a/${brandId}/oauth/${endpoint}`
      const name = `POST ${path}`
      return [
        { name: `GET ${path}`, path },
        { name: `${name} without a token`, path, method: 'POST', body: 'x=1' },
        ...forms.map((body) => ({
          name: `${name} ${body.slice(0, 60)}`,
          path,
          method: 'POST',
          headers,
          body,
        })),
      ]
    }),
  )
}

describe('the authorization server has two doors', () => {
  it('that answer alike: status, headers and body', async () => {
    for (const sample of [...documentSamples(), ...formSamples()]) {
      const [lane, next] = [await answerOf(provider.url, sample), await answerOf(nextDoor.url, sample)]
      expect({ name: sample.name, ...next }).toEqual({ name: sample.name, ...lane })
      expect(lane.status, sample.name).not.toBe(500)
    }
  })

  it('and a signed card has one ETag, whichever process signed it', async () => {
    const path = `/a2a/${provider.brandId}/.well-known/agent-card.json`
    const first = await answerOf(provider.url, { name: 'card', path })
    const etag = first.headers.etag ?? ''
    expect(etag).not.toBe('')
    const headers = { 'If-None-Match': etag }
    expect((await answerOf(nextDoor.url, { name: 'card, again', path, headers })).status).toBe(304)
  })
})
