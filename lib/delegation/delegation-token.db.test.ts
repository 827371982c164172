import { maxHeaderSize } from 'node:http'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { authorizationServer, interfaceUrl } from '#lib/brands/addresses.ts'
import { MAX_SCOPE_IDS } from '#lib/brands/schema.ts'
import { readBearerToken } from '#lib/identity/bearer.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { setClock } from '#lib/platform/clock.ts'
import { signDelegationToken, verifyDelegationToken } from './delegation-token.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
const clientId = 'https://first.example'

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())
afterEach(() => setClock())

function sign(more: { issuedAt?: number; endsAt?: number } = {}) {
  const { brandId } = provider
  const scopes = ['orders:read', 'orders:cancel']
  return signDelegationToken({
    brandId,
    brandUserId: 'jane-4471',
    clientId,
    scopes,
    grantId: 'a2agrant_x',
    ...more,
  })
}

const verify = (token: string) => verifyDelegationToken(token, provider.brandId, clientId)

const seconds = () => Math.floor(Date.now() / 1000)

function rightClaims(): Record<string, unknown> {
  return {
    iss: authorizationServer(provider.brandId).issuer,
    aud: interfaceUrl(provider.brandId),
    sub: 'jane-4471',
    client_id: clientId,
    scope: 'orders:read orders:cancel',
    grant_id: 'a2agrant_x',
    jti: 'j-1',
    iat: seconds(),
    exp: seconds() + 3600,
  }
}

/** Signed with the Brand's own key, but for what is changed. */
async function forge(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  by: { key?: CryptoKey; brandId?: string } = {},
) {
  const { kid, alg, privateKey } = await getSigner(by.brandId ?? provider.brandId)
  return new SignJWT({ ...rightClaims(), ...claims })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
    .sign(by.key ?? privateKey)
}

describe('§5.4 a delegation token', () => {
  it('has the claims of §5.4 and RFC 9068, and a `typ` of its own', async () => {
    const { token, expiresIn } = await sign()
    const { kid } = await getSigner(provider.brandId)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid, typ: 'at+jwt' })
    const claims = decodeJwt(token)
    expect(claims).toEqual({ ...rightClaims(), jti: expect.any(String), iat: claims.iat, exp: claims.exp })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600)
    expect(expiresIn).toBe(3600)
  })

  it('never lives past the grant', async () => {
    const issuedAt = seconds()
    const { token, expiresIn } = await sign({ issuedAt, endsAt: issuedAt + 60.9 })
    expect(decodeJwt(token)).toMatchObject({ iat: issuedAt, exp: issuedAt + 60 })
    expect(expiresIn).toBe(60)
  })

  it('fits into its header and beside the personal-agent JWT, however large the Brand, the issuer and the User’s id', async () => {
    const issuer = `https://${'i'.repeat(2_040)}`
    const { token } = await signDelegationToken({
      brandId: provider.brandId,
      brandUserId: '界'.repeat(255),
      clientId: issuer,
      scopes: Array.from({ length: MAX_SCOPE_IDS / 10 }, (_, n) => `scope-${100 + n}`),
      grantId: `a2agrant_${'x'.repeat(26)}`,
    })
    const header = `Bearer ${token}`
    expect(readBearerToken(header)).toEqual({ ok: true, token })
    expect((await verifyDelegationToken(token, provider.brandId, issuer))?.scopes).toHaveLength(200)
    const paJwt = { iss: issuer, sub: '界'.repeat(255), aud: 'a'.repeat(255), iat: seconds(), exp: seconds() }
    const other = Buffer.from(JSON.stringify(paJwt)).toString('base64url').length + 600
    expect(header.length + other).toBeLessThan(maxHeaderSize)
  })

  it('verifies as what it says; whether it has expired is the database’s to say', async () => {
    const issuedAt = seconds()
    const { token } = await sign({ issuedAt })
    const { kid } = await getSigner(provider.brandId)
    const facts = {
      brandUserId: 'jane-4471',
      scopes: ['orders:read', 'orders:cancel'],
      grantId: 'a2agrant_x',
      issuedAt,
      expiresAt: issuedAt + 3600,
      kid,
    }
    expect(await verify(token)).toEqual(facts)
    setClock(() => (issuedAt + 7200) * 1000)
    expect(await verify(token)).toEqual(facts)
  })
})

describe('§5.5 a delegation token is refused', () => {
  it('when signed as it is, it passes: the cases below fail for what they change', async () => {
    expect(await verify(await forge({}))).toBeDefined()
  })

  const names = ['iss', 'aud', 'sub', 'client_id', 'scope', 'grant_id', 'jti', 'iat', 'exp']
  it.each(names)('without %s', async (name) => {
    expect(await verify(await forge({ [name]: undefined }))).toBeUndefined()
  })

  it.each(names)('with %s of a wrong type', async (name) => {
    for (const value of [null, true, [], ['x'], {}, name === 'iat' || name === 'exp' ? '9999999999' : 7]) {
      expect(await verify(await forge({ [name]: value }))).toBeUndefined()
    }
  })

  it.each([
    ['iss', () => authorizationServer(OTHER_BRAND_ID).issuer],
    ['iss', () => `${authorizationServer(provider.brandId).issuer}/`],
    ['aud', () => interfaceUrl(OTHER_BRAND_ID)],
    ['aud', () => [interfaceUrl(provider.brandId)]],
    ['client_id', () => 'https://second.example'],
    ['sub', () => ''],
    ['sub', () => 'a\u0000b'],
    ['grant_id', () => ''],
    ['exp', () => 1e300],
    ['iat', () => -1],
  ])('with a wrong %s', async (name, value) => {
    expect(await verify(await forge({ [name]: value() }))).toBeUndefined()
  })

  it.each([
    ['another kind’s typ', { typ: 'pact-receipt+jws' }],
    ['the general typ', { typ: 'JWT' }],
    ['no typ', { typ: undefined }],
    ['no kid', { kid: undefined }],
    ['an unknown kid', { kid: 'unknown' }],
    ['a kid that is no string', { kid: 7 }],
  ])('with %s', async (_, header) => {
    expect(await verify(await forge({}, header))).toBeUndefined()
  })

  it('with a critical header, even one that is understood', async () => {
    const { kid, privateKey } = await getSigner(provider.brandId)
    const token = await new SignJWT(rightClaims())
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', crit: ['b64'], b64: true })
      .sign(privateKey)
    expect(await verify(token)).toBeUndefined()
  })

  it('`typ` is told without case and without `application/` (RFC 7515 §4.1.9)', async () => {
    expect(await verify(await forge({}, { typ: 'Application/AT+JWT' }))).toBeDefined()
  })

  it('signed by a key of another Brand, under either kid', async () => {
    const other = await getSigner(OTHER_BRAND_ID)
    expect(await verify(await forge({}, {}, { brandId: OTHER_BRAND_ID }))).toBeUndefined()
    expect(await verify(await forge({}, {}, { key: other.privateKey }))).toBeUndefined()
  })

  it('signed by a key that it brings along, or another algorithm', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    expect(
      await verify(await forge({}, { jwk, jku: 'https://x.example' }, { key: privateKey })),
    ).toBeUndefined()
    const rsa = await generateKeyPair('RS256')
    expect(await verify(await forge({}, { alg: 'RS256' }, { key: rsa.privateKey }))).toBeUndefined()
    const secret = await crypto.subtle.importKey(
      'raw',
      Buffer.from(JSON.stringify(jwk)),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    expect(await verify(await forge({}, { alg: 'HS256' }, { key: secret }))).toBeUndefined()
  })

  it('unsigned, damaged or no token at all', async () => {
    const token = await forge({})
    const [header = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'x' })).toString('base64url')
    const flipped = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)
    for (const bad of [
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}`,
      '',
      'x.y.z',
      '..',
    ]) {
      expect(await verify(bad)).toBeUndefined()
    }
  })
})
