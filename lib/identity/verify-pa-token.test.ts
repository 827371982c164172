import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto'
import fc from 'fast-check'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { log } from '#lib/platform/log.ts'
import type { PersonalAgent } from './registry.ts'
import { type IdentityRegistry, verifyPaToken } from './verify-pa-token.ts'

const audience = 'urn:example:provider'
let host: DocumentHost
let ec: { privateJwk: JWK; publicJwk: JWK }
let otherEc: { privateJwk: JWK; publicJwk: JWK }
let rsa: { privateJwk: JWK; publicJwk: JWK }
let personalAgent: PersonalAgent
let known: PersonalAgent | undefined
let provisioned = true

const registry: IdentityRegistry = {
  findProvider: async () => (provisioned ? { audience, trust: 'allowlist' } : undefined),
  findPersonalAgent: async (issuer) => (known && issuer === known.issuer ? known : undefined),
  recordDiscovered: () => Promise.reject(new Error('an allowlist records nobody')),
}

async function makeKey(alg: 'ES256' | 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) }
}

beforeAll(async () => {
  log().level = 'silent'
  host = await startDocumentHost()
  ;[ec, otherEc, rsa] = await Promise.all([makeKey('ES256'), makeKey('ES256'), makeKey('RS256')])
  host.answer('/jwks.json', {
    keys: [
      { ...ec.publicJwk, kid: 'ec' },
      { ...rsa.publicJwk, kid: 'rsa' },
    ],
  })
  personalAgent = {
    id: '0193f2f0-0000-7000-8000-000000000001',
    issuer: 'https://pa.example.com',
    jwksUri: `${host.origin}/jwks.json`,
    name: 'Example',
    enabled: true,
    origin: 'registered' as const,
    limits: undefined,
  }
})
afterAll(() => host.close())
beforeEach(() => {
  known = personalAgent
  provisioned = true
})

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function claims(changes: Record<string, unknown> = {}) {
  const iat = Math.floor(Date.now() / 1000)
  return { iss: personalAgent.issuer, sub: 'user-1', aud: audience, iat, exp: iat + 120, ...changes }
}

/** Signs whatever it is given, as an attacker would. */
function makeToken(header: unknown, payload: unknown, privateJwk = ec.privateJwk) {
  const input = `${encode(header)}.${encode(payload)}`
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const signature = signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const header = (changes: Record<string, unknown> = {}) => ({ alg: 'ES256', kid: 'ec', ...changes })

async function verdict(authorization: string | null) {
  const result = await verifyPaToken(authorization, registry)
  return result.ok ? 'accepted' : result.reason
}
const verdictOn = (token: string) => verdict(`Bearer ${token}`)

describe('§3.2: a personal-agent JWT that is accepted', () => {
  it('says who calls', async () => {
    expect(await verifyPaToken(`Bearer ${makeToken(header(), claims())}`, registry)).toEqual({
      ok: true,
      caller: { personalAgent, subject: 'user-1' },
    })
  })

  it.each([
    ['RS256', () => makeToken({ alg: 'RS256', kid: 'rsa' }, claims(), rsa.privateJwk)],
    ['no kid', () => makeToken({ alg: 'ES256' }, claims())],
    ['typ JWT', () => makeToken(header({ typ: 'JWT' }), claims())],
    ['a typ of its own', () => makeToken(header({ typ: 'pa+jwt' }), claims())],
    ['typ in lower case', () => makeToken(header({ typ: 'jwt' }), claims())],
    ['other claims', () => makeToken(header(), claims({ jti: 'j', nbf: 0, extra: { a: [1] } }))],
    ['a sub of 255 characters', () => makeToken(header(), claims({ sub: 'x'.repeat(255) }))],
    [
      'keys in its header, unused',
      () => makeToken(header({ jku: `${host.origin}/evil`, jwk: otherEc.publicJwk }), claims()),
    ],
  ])('with %s', async (_name, make) => {
    expect(await verdictOn(make())).toBe('accepted')
    expect(host.hits('/evil')).toBe(0)
  })

  it.each(['bearer ', 'BEARER ', 'Bearer   '])('after the scheme %j', async (scheme) => {
    expect(await verdict(scheme + makeToken(header(), claims()))).toBe('accepted')
  })
})

describe('§3.2: what the token holds', () => {
  it.each(['e30.e30.AA', 'bnVsbA.bnVsbA.AA', 'W10.e30.AA', 'e30.W10.AA', 'AA.AA.AA', 'e30.IjEi.AA'])(
    '%s is no JWT',
    async (token) => {
      expect(['malformed', 'algorithm']).toContain(await verdictOn(token))
    },
  )
})

describe('§3.2: the JOSE header', () => {
  it.each([
    ['algorithm', { alg: 'none' }],
    ['algorithm', { alg: 'ES384' }],
    ['algorithm', { alg: 'PS256' }],
    ['algorithm', { alg: 'es256' }],
    ['algorithm', { alg: ['ES256'] }],
    ['algorithm', { alg: undefined }],
    ['critical_header', { crit: ['exp'], exp: 1 }],
    ['critical_header', { crit: [] }],
    ['critical_header', { crit: null }],
    ['critical_header', { b64: false, crit: ['b64'] }],
    ['token_type', { typ: 'at+jwt' }],
    ['token_type', { typ: 'application/at+jwt' }],
    ['token_type', { typ: 'pact-receipt+jws' }],
    ['token_type', { typ: 'JOSE' }],
    ['token_type', { typ: null }],
    ['token_type', { typ: 1 }],
    ['malformed', { kid: 1 }],
    ['unknown_key', { kid: 'unknown' }],
    ['unknown_key', { kid: 'rsa' }],
    ['unknown_key', { alg: 'RS256' }],
  ] as const)('%s: %j', async (reason, changes) => {
    expect(await verdictOn(makeToken(header(changes), claims()))).toBe(reason)
  })

  it('HS256 with the public key as its secret is refused', async () => {
    for (const secret of [JSON.stringify(ec.publicJwk), String(ec.publicJwk.x)]) {
      const input = `${encode(header({ alg: 'HS256' }))}.${encode(claims())}`
      expect(
        await verdictOn(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`),
      ).toBe('algorithm')
    }
  })

  it('a key in the header proves nothing', async () => {
    const own = header({ jwk: otherEc.publicJwk })
    expect(await verdictOn(makeToken(own, claims(), otherEc.privateJwk))).toBe('signature')
  })
})

describe('§3.2: the signature', () => {
  it.each([
    ['of another key', () => makeToken(header(), claims(), otherEc.privateJwk)],
    ['of another key, without a kid', () => makeToken({ alg: 'ES256' }, claims(), otherEc.privateJwk)],
    ['of another type of key', () => makeToken(header(), claims(), rsa.privateJwk)],
    [
      'in DER form',
      () => {
        const input = `${encode(header())}.${encode(claims())}`
        const key = createPrivateKey({ key: ec.privateJwk, format: 'jwk' })
        return `${input}.${signBytes('sha256', Buffer.from(input), key).toString('base64url')}`
      },
    ],
    ['of nothing', () => `${encode(header())}.${encode(claims())}.AA`],
    ['of zeros', () => `${encode(header())}.${encode(claims())}.${'A'.repeat(86)}`],
    [
      'of other claims',
      () => {
        const [head, , signature] = makeToken(header(), claims()).split('.')
        return `${head}.${encode(claims({ sub: 'user-2' }))}.${signature}`
      },
    ],
  ])('%s is refused', async (_name, make) => {
    expect(await verdictOn(make())).toBe('signature')
  })
})

describe('§3.2: the claims', () => {
  const now = () => Math.floor(Date.now() / 1000)
  it.each([
    ['malformed', () => ({ iss: undefined })],
    ['malformed', () => ({ iss: 'https://pa.example.com\u0000' })],
    ['unknown_issuer', () => ({ iss: 'https://pa.example.com/' })],
    ['unknown_issuer', () => ({ iss: 'https://PA.example.com' })],
    ['audience', () => ({ aud: [audience] })],
    ['issued_in_future', () => ({ iat: now() + 40, exp: now() + 100 })],
    ['expired', () => ({ iat: now() - 120, exp: now() - 31 })],
    ['accepted', () => ({ iat: now() - 120, exp: now() - 25 })],
    ['lifetime', () => ({ iat: now(), exp: now() + 301 })],
    ['subject', () => ({ sub: undefined })],
  ] as const)('%s: %s', async (reason, changes) => {
    expect(await verdictOn(makeToken(header(), claims(changes())))).toBe(reason)
  })

  it('bytes that are not UTF-8 are refused, so that two subs never become one', async () => {
    const payload = Buffer.from(JSON.stringify(claims({ sub: 'user-\u00ff' })), 'latin1').toString(
      'base64url',
    )
    expect(await verdictOn(`${encode(header())}.${payload}.AA`)).toBe('malformed')
  })
})

describe('§3.1: the registry', () => {
  it.each([{ aud: 'urn:example:other' }, { iat: 0, exp: 120 }, { sub: '' }])(
    'looks no issuer up for a token with claims %j',
    async (changes) => {
      const asked: string[] = []
      const counting: IdentityRegistry = {
        ...registry,
        findPersonalAgent: (issuer) => {
          asked.push(issuer)
          return registry.findPersonalAgent(issuer)
        },
      }
      const result = await verifyPaToken(`Bearer ${makeToken(header(), claims(changes))}`, counting)
      expect(result.ok || result.personalAgentId).toBeUndefined()
      expect(asked).toEqual([])
    },
  )

  it('refuses a disabled personal agent, and says to the log which', async () => {
    known = { ...personalAgent, enabled: false }
    const result = await verifyPaToken(`Bearer ${makeToken(header(), claims())}`, registry)
    expect(result).toEqual({ ok: false, reason: 'disabled', personalAgentId: personalAgent.id })
  })

  it('refuses everyone before it is provisioned', async () => {
    provisioned = false
    expect(await verdictOn(makeToken(header(), claims()))).toBe('not_provisioned')
  })

  it('refuses when the JWKS can not be had, or is none', async () => {
    known = { ...personalAgent, jwksUri: `${host.origin}/absent` }
    expect(await verdictOn(makeToken(header(), claims()))).toBe('jwks_unreachable')
    host.answer('/broken', { keys: 1 })
    known = { ...personalAgent, jwksUri: `${host.origin}/broken` }
    expect(await verdictOn(makeToken(header(), claims()))).toBe('jwks_invalid')
  })

  it('a failing registry is the Provider’s failure, not the caller’s', async () => {
    const failing = { ...registry, findPersonalAgent: () => Promise.reject(new Error('database down')) }
    await expect(verifyPaToken(`Bearer ${makeToken(header(), claims())}`, failing)).rejects.toThrow(
      'database down',
    )
  })
})

describe('whatever is sent', () => {
  it('any text is refused, without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await verdict(text)).not.toBe('accepted')
        expect(await verdictOn(text)).not.toBe('accepted')
      }),
    )
  })

  it('any header and payload are refused when the key is not the personal agent’s', async () => {
    await fc.assert(
      fc.asyncProperty(fc.object(), fc.object(), async (oddHeader, oddClaims) => {
        const token = makeToken(
          { ...header(), ...oddHeader },
          { ...claims(), ...oddClaims },
          otherEc.privateJwk,
        )
        expect(await verdictOn(token)).not.toBe('accepted')
      }),
    )
  })

  it('one changed character anywhere in a token is refused', async () => {
    const token = makeToken(header(), claims())
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 2),
        fc.constantFrom('A', 'z', '-', '.', '=', ' ', '0'),
        async (at, char) => {
          if (token[at] === char) return
          expect(await verdictOn(token.slice(0, at) + char + token.slice(at + 1))).not.toBe('accepted')
        },
      ),
    )
  })
})
