import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { setClock } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import { discoverIssuer, discoveryLimits } from './discover.ts'
import type { PersonalAgent } from './registry.ts'
import { type IdentityRegistry, verifyPaToken } from './verify-pa-token.ts'

const audience = 'urn:example:provider'
const CONFIGURATION = '/.well-known/openid-configuration'
let host: DocumentHost
let keys: { own: CryptoKeyPair; other: CryptoKeyPair }
let issuer: string
let path: string
let recorded: PersonalAgent[]
let time: number
let disabledMeanwhile: boolean

const registry: IdentityRegistry = {
  findProvider: async () => ({ audience, trust: 'open' }),
  findPersonalAgent: async (iss) => recorded.find((agent) => agent.issuer === iss),
  recordDiscovered: async (found) => {
    const origin = 'discovered' as const
    const agent = { ...found, id: randomUUID(), enabled: !disabledMeanwhile, origin, limits: undefined }
    recorded.push(agent)
    return agent
  },
}

beforeAll(async () => {
  log().level = 'silent'
  host = await startDocumentHost()
  keys = { own: await generateKeyPair('ES256'), other: await generateKeyPair('ES256') }
})
afterAll(() => host.close())

beforeEach(async () => {
  time = Date.now()
  setClock(() => time)
  recorded = []
  disabledMeanwhile = false
  path = `/${randomUUID()}`
  issuer = host.origin + path
  host.answer(path + CONFIGURATION, { issuer, jwks_uri: `${issuer}/jwks.json` })
  host.answer(`${path}/jwks.json`, { keys: [{ ...(await exportJWK(keys.own.publicKey)), kid: 'a' }] })
})
afterEach(() => setClock())

async function verdict(changes: { key?: CryptoKey; iss?: string; aud?: string; sub?: string } = {}) {
  const { key = keys.own.privateKey, iss = issuer, aud = audience, sub = 'user-1' } = changes
  const iat = Math.floor(time / 1000)
  const token = await new SignJWT({ iss, sub, aud, iat, exp: iat + 120 })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .sign(key)
  const result = await verifyPaToken(`Bearer ${token}`, registry)
  return result.ok ? result.caller : result.reason
}

describe('§3.1: open trust policy', () => {
  it('records an unknown issuer once its own token has verified', async () => {
    const agent = { issuer, jwksUri: `${issuer}/jwks.json`, name: new URL(host.origin).host }
    expect(await verdict()).toMatchObject({ personalAgent: agent, subject: 'user-1' })
    expect(recorded).toMatchObject([agent])
  })

  it.each([
    ['another key’s signature', () => ({ key: keys.other.privateKey }), 'signature'],
    ['another audience', () => ({ aud: 'other' }), 'audience'],
    ['no sub', () => ({ sub: '' }), 'subject'],
  ] as const)('records nobody for %s', async (_name, changes, reason) => {
    expect(await verdict(changes())).toBe(reason)
    expect(recorded).toEqual([])
  })

  it('asks no host for a token that is refused for its claims', async () => {
    await verdict({ aud: 'other' })
    expect(host.hits(path + CONFIGURATION)).toBe(0)
  })

  it('refuses one that an admin has disabled', async () => {
    await verdict()
    recorded = recorded.map((agent) => ({ ...agent, enabled: false }))
    expect(await verdict()).toBe('disabled')
  })

  it('refuses one that another process recorded and an admin disabled meanwhile', async () => {
    disabledMeanwhile = true
    expect(await verdict()).toBe('disabled')
  })

  it.each([
    ['another issuer', () => ({ issuer: host.origin, jwks_uri: `${issuer}/jwks.json` })],
    ['the issuer with a slash', () => ({ issuer: `${issuer}/`, jwks_uri: `${issuer}/jwks.json` })],
    ['no issuer', () => ({ jwks_uri: `${issuer}/jwks.json` })],
    ['no jwks_uri', () => ({ issuer })],
    ['a jwks_uri that is no URL', () => ({ issuer, jwks_uri: '/jwks.json' })],
    ['a jwks_uri in a private network', () => ({ issuer, jwks_uri: 'http://10.0.0.1/jwks.json' })],
    ['a list', () => []],
  ])('refuses a configuration with %s', async (_name, build) => {
    host.answer(path + CONFIGURATION, build())
    expect(await verdict()).toBe('discovery_failed')
    expect(host.hits(`${path}/jwks.json`)).toBe(0)
  })

  it('refuses keys that can not be had', async () => {
    host.answer(`${path}/jwks.json`, (_request, response) => response.writeHead(500).end())
    expect(await verdict()).toBe('jwks_unreachable')
    expect(recorded).toEqual([])
  })

  it.each([
    'nonsense',
    'http://example.com',
    'https://10.0.0.1',
    'https://user@example.com',
    'https://example.com?a=b',
  ])('looks up nothing for iss %s', async (iss) => {
    expect(await verdict({ iss })).toBe('discovery_failed')
  })
})

describe('discovery: limits', () => {
  it('looks an issuer up once for many at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => discoverIssuer(issuer)))
    expect(host.hits(path + CONFIGURATION)).toBe(1)
  })

  it('remembers a failure for a minute', async () => {
    host.answer(path + CONFIGURATION, (_request, response) => response.writeHead(404).end())
    for (let n = 0; n < 5; n++) expect(await discoverIssuer(issuer)).toEqual({ fault: 'discovery_failed' })
    expect(host.hits(path + CONFIGURATION)).toBe(1)
    host.answer(path + CONFIGURATION, { issuer, jwks_uri: `${issuer}/jwks.json` })
    time += discoveryLimits.rememberedFor
    expect(await discoverIssuer(issuer)).toMatchObject({ issuer })
  })

  it('one slow host takes few places, all of them together no more than ten; others are told to come later', async () => {
    const hosts = await Promise.all(Array.from({ length: 6 }, startDocumentHost))
    const waiting: (() => void)[] = []
    for (const slow of hosts) {
      for (const path of ['/a', '/b', '/c']) {
        slow.answer(path + CONFIGURATION, (_request, response) =>
          waiting.push(() => response.writeHead(404).end()),
        )
      }
    }
    const first = hosts[0]?.origin
    const running = [discoverIssuer(`${first}/a`), discoverIssuer(`${first}/b`)]
    expect(await discoverIssuer(`${first}/c`)).toEqual({ fault: 'discovery_busy' })
    for (const { origin } of hosts.slice(1, 5))
      running.push(discoverIssuer(`${origin}/a`), discoverIssuer(`${origin}/b`))
    expect(await discoverIssuer(`${hosts[5]?.origin}/a`)).toEqual({ fault: 'discovery_busy' })
    while (waiting.length < 10) await new Promise((resolve) => setTimeout(resolve, 10))
    for (const finish of waiting) finish()
    expect(await Promise.all(running)).toEqual(Array(10).fill({ fault: 'discovery_failed' }))
    // Busy is not remembered.
    expect(await discoverIssuer(issuer)).toMatchObject({ issuer })
    await Promise.all(hosts.map((slow) => slow.close()))
  })
})
