import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { log } from '#lib/platform/log.ts'
import { explainToken } from './explain-token.ts'
import type { IdentityRegistry } from './token-checks.ts'
import { verifyPaToken } from './verify-pa-token.ts'

const audience = 'urn:example:provider'
const auditor: Viewer = {
  userId: 'u',
  email: 'u@a.example',
  name: null,
  providerRole: 'auditor',
  brandRoles: new Map(),
}
const personalAgent = {
  id: '0193f2f0-0000-7000-8000-000000000002',
  issuer: 'https://pa.example.com',
  jwksUri: '',
  name: 'Example',
  enabled: true,
  origin: 'registered' as const,
  limits: undefined,
}
const recorded: string[] = []
let trust: 'allowlist' | 'open' = 'allowlist'
let host: DocumentHost
let key: CryptoKey
let otherKey: CryptoKey

const registry: IdentityRegistry = {
  findProvider: async () => ({ audience, trust }),
  findPersonalAgent: async (issuer) => (issuer === personalAgent.issuer ? personalAgent : undefined),
  recordDiscovered: async ({ issuer }) => {
    recorded.push(issuer)
    return undefined
  },
}

beforeAll(async () => {
  log().level = 'silent'
  host = await startDocumentHost()
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  otherKey = (await generateKeyPair('ES256')).privateKey
  host.answer('/jwks.json', { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'a' }] })
  personalAgent.jwksUri = `${host.origin}/jwks.json`
})
afterAll(() => host.close())

const now = () => Math.floor(Date.now() / 1000)

function sign(claims: JWTPayload = {}, { header = {}, by = key }: { header?: object; by?: CryptoKey } = {}) {
  const iat = now()
  return new SignJWT({
    iss: personalAgent.issuer,
    sub: 'user',
    aud: audience,
    iat,
    exp: iat + 120,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'a', ...header })
    .sign(by)
}

async function outcomes(token: string) {
  const { rules } = await explainToken(auditor, token, registry)
  return new Map(rules.map((each) => [each.rule, each]))
}

async function failing(token: string) {
  return [...(await outcomes(token)).values()]
    .filter(({ outcome }) => outcome === 'fail')
    .map(({ rule, reason }) => `${rule}: ${reason}`)
}

describe('a token that holds', () => {
  it.each(['', 'Bearer ', 'Authorization: Bearer ', ' \n'])(
    'passes every rule, pasted after %j',
    async (before) => {
      const rules = [...(await outcomes(before + (await sign()))).values()]
      expect(rules).toHaveLength(21)
      expect(rules.map(({ outcome }) => outcome)).toEqual(Array(21).fill('pass'))
    },
  )
})

describe('a token that does not', () => {
  it('is told everything that is wrong with it at once', async () => {
    const iat = now()
    const token = await sign(
      { aud: [audience], iat: iat - 1000, exp: iat - 100, sub: '' },
      { header: { typ: 'at+jwt', kid: 'b' } },
    )
    expect(await failing(token)).toEqual([
      'typ: token_type',
      'aud: audience',
      'not_expired: expired',
      'lifetime: lifetime',
      'sub: subject',
      'key: unknown_key',
    ])
    expect((await outcomes(token)).get('signature')).toMatchObject({
      outcome: 'not_reached',
      reason: undefined,
    })
    expect((await outcomes(token)).get('aud')).toMatchObject({
      found: JSON.stringify([audience]),
      expected: JSON.stringify(audience),
    })
    expect((await outcomes(token)).get('not_expired')?.secondsAgo).toBeGreaterThanOrEqual(100)
  })

  it.each(['', 'a', 'a.b', 'a.b.c.d', 'x'.repeat(9000), '\u0000'])('%j has no form', async (token) => {
    expect((await failing(token))[0]).toMatch(/^form: /)
    expect((await outcomes(token)).get('aud')?.outcome).toBe('not_reached')
  })

  it('of a disabled personal agent is looked at to the end', async () => {
    personalAgent.enabled = false
    expect(await failing(await sign())).toEqual(['enabled: disabled'])
    expect(await failing(await sign({}, { by: otherKey }))).toEqual([
      'enabled: disabled',
      'signature: signature',
    ])
    personalAgent.enabled = true
  })

  it.each([
    [{}, {}],
    [{ aud: 'x', sub: '' }, {}],
    [{ iat: undefined }, {}],
    [{ exp: undefined, sub: undefined }, {}],
    [
      { iat: 0, exp: 1 },
      { alg: 'ES256', kid: 'b' },
    ],
    [{ nbf: 99_999_999_999 }, {}],
    [{ iss: 'https://nobody.example' }, {}],
    [{ iss: undefined, aud: 'x' }, {}],
    [{ exp: now() + 500 }, { typ: 'JOSE' }],
  ])('fails first where a request does: %j, %j', async (claims, header) => {
    const token = await sign(claims as JWTPayload, { header, by: otherKey })
    const request = await verifyPaToken(`Bearer ${token}`, registry)
    const [first = ''] = await failing(token)
    expect(request.ok ? '' : request.reason).toBe(first.replace(/^.*: /, ''))
  })
})

describe('checking', () => {
  it('records no newcomer, under the open policy either', async () => {
    trust = 'open'
    const issuer = `${host.origin}/newcomer`
    host.answer('/newcomer/.well-known/openid-configuration', { issuer, jwks_uri: personalAgent.jwksUri })
    expect(await failing(await sign({ iss: issuer }))).toEqual([])
    expect(recorded).toEqual([])
    trust = 'allowlist'
  })

  it('is for the Provider’s own people', async () => {
    await expect(explainToken({ ...auditor, providerRole: null }, 'x', registry)).rejects.toThrow(
      ForbiddenError,
    )
  })
})
