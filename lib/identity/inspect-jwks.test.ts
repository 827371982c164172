import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { inspectJwks } from './inspect-jwks.ts'

let host: DocumentHost

beforeAll(async () => {
  host = await startDocumentHost()
})
afterAll(() => host.close())

async function publicJwk(alg = 'ES256', options = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options })
  return { open: await exportJWK(publicKey), secret: await exportJWK(privateKey) }
}

async function inspectKeys(keys: unknown[]) {
  host.answer('/jwks.json', { keys })
  const jwks = await inspectJwks(`${host.origin}/jwks.json`)
  if (!jwks.ok) throw new Error(jwks.detail)
  return jwks.keys
}

describe('the keys of a JWKS', () => {
  it('are shown with what is wrong with each', async () => {
    const [ec, rsa, short, p384] = await Promise.all([
      publicJwk(),
      publicJwk('RS256'),
      generateKeyPair('RS256', { modulusLength: 2048, extractable: true }),
      publicJwk('ES384'),
    ])
    const { open } = ec
    const keys = await inspectKeys([
      { ...open, kid: 'good', use: 'sig', iat: 1_790_000_000 },
      { ...rsa.open, kid: 'rsa', alg: 'RS256' },
      { ...open, kid: 'enc', use: 'enc' },
      { ...open, kid: 'alg', alg: 'RS256' },
      { ...open, kid: 'ops', key_ops: ['sign'] },
      { ...open, kid: 'broken', x: 'AA' },
      { ...(await exportJWK(short.publicKey)), kid: 'exponent', e: 'AQABAQAB' },
      { ...p384.open, kid: 'p384' },
      'nonsense',
    ])
    expect(keys.map(({ kid, fault }) => [kid, fault])).toEqual([
      ['good', undefined],
      ['rsa', undefined],
      ['enc', 'use'],
      ['alg', 'algorithm'],
      ['ops', 'operations'],
      ['broken', 'malformed'],
      ['exponent', 'exponent'],
      ['p384', 'type'],
      [undefined, 'not_an_object'],
    ])
    expect(keys[0]).toMatchObject({ type: 'EC P-256', alg: 'ES256', use: 'sig', warnings: [] })
    expect(keys[0]?.issuedAt).toEqual(new Date(1_790_000_000_000))
    expect(keys[1]).toMatchObject({ type: 'RSA', bits: 2048 })
  })

  it('with a private part, without a kid, or with one twice, are warned of', async () => {
    const { open, secret } = await publicJwk()
    const keys = await inspectKeys([{ ...secret, kid: 'a' }, { ...open, kid: 'a' }, { ...open }])
    expect(keys.map(({ warnings }) => warnings)).toEqual([['private'], ['same_kid'], ['no_kid']])
  })
})

describe('a JWKS that can’t be had', () => {
  it.each([
    ['/absent', 'jwks_unreachable', 'status', 404],
    ['/list', 'jwks_invalid', 'not_a_jwks', 200],
    ['/many', 'jwks_invalid', 'too_many_keys', 200],
    ['/moved', 'jwks_unreachable', 'redirect', 302],
  ])('%s: %s, %s', async (path, fault, detail, status) => {
    host.answer('/list', { keys: 1 })
    host.answer('/many', { keys: Array(51).fill({}) })
    host.answer('/moved', (_request, response) => void response.writeHead(302, { location: '/' }).end())
    expect(await inspectJwks(host.origin + path)).toMatchObject({ ok: false, fault, detail, status })
  })
})
