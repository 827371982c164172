import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AssertionParts, startBrandLogin, type TestBrandLogin } from '#e2e/harness/brand-login.ts'
import { startDocumentHost } from '#e2e/harness/document-host.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { setClock } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import { verifyAssertion } from './assertion.ts'

const BRAND_ID = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const OTHER_BRAND_ID = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const { consentUrl } = authorizationServer(BRAND_ID)
const nowInSeconds = () => Math.floor(Date.now() / 1000)

let login: TestBrandLogin
let otherLogin: TestBrandLogin
let brand: Brand

function brandWith(settings: TestBrandLogin['settings']): Brand {
  return {
    id: BRAND_ID,
    name: 'Loom & Thread',
    description: '',
    skills: [],
    idleTime: 1,
    streaming: false,
    agent: { driver: 'scripted', rules: [], fallback: 'x', timeLimitSeconds: 1 } as Brand['agent'],
    tools: [],
    privateNetworks: false,
    delegation: { login: settings, grantTime: 1, scopes: [] },
  }
}

beforeAll(async () => {
  log().level = 'silent'
  ;[login, otherLogin] = await Promise.all([startBrandLogin(), startBrandLogin()])
  brand = brandWith(login.settings)
})
afterEach(() => setClock())
afterAll(() => Promise.all([login.close(), otherLogin.close()]))

const right = { user_code: 'WDJB-MJHT' }
const sign = (parts: AssertionParts = {}) =>
  login.sign(consentUrl, { ...parts, claims: { ...right, ...parts.claims } })

async function faultOf(parts: AssertionParts): Promise<string | undefined> {
  const verified = await verifyAssertion(await sign(parts), brand)
  return verified.ok ? undefined : verified.fault
}

describe('a login assertion (§5.3)', () => {
  it('says who logged in and for which code', async () => {
    const exp = nowInSeconds() + 60
    const claims = { user_code: 'wdjbmjht', jti: 'one', name: ' Jane Doe ', email: 'jane@example.com', exp }
    expect(await verifyAssertion(await sign({ claims }), brand)).toEqual({
      ok: true,
      assertion: {
        account: { brandUserId: 'jane-4471', name: 'Jane Doe', email: 'jane@example.com' },
        purpose: { userCode: 'WDJBMJHT' },
        jti: 'one',
        expiresAt: exp,
      },
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['no name, no email', {}],
    ['a name that is none', { name: 7, email: ['x'] }],
    ['a name of blanks', { name: '   ', email: '' }],
    ['a name that can’t be stored', { name: 'a\0', email: '\ud800' }],
  ])('is right with %s: they are for display only', async (_what, claims) => {
    const verified = await verifyAssertion(await sign({ claims }), brand)
    expect(verified).toMatchObject({
      ok: true,
      assertion: { account: { name: undefined, email: undefined } },
    })
  })

  it('shows what is hidden in a name, and cuts a long one', async () => {
    const claims = { name: `J\u202Eane`, email: '😀'.repeat(300) }
    const verified = await verifyAssertion(await sign({ claims }), brand)
    expect(verified.ok && verified.assertion.account).toMatchObject({
      name: 'J[U+202E]ane',
      email: '😀'.repeat(200),
    })
  })

  it('may be for what the User has allowed, in place of a code', async () => {
    const verified = await verifyAssertion(
      await sign({ claims: { user_code: undefined, view: 'grants' } }),
      brand,
    )
    expect(verified.ok && verified.assertion.purpose).toBe('grants')
  })

  it('may be for a code that the User is still to type', async () => {
    const verified = await verifyAssertion(await sign({ claims: { user_code: undefined } }), brand)
    expect(verified.ok && verified.assertion.purpose).toBe('enter-code')
  })

  it('says what it was for when it comes too late, and only when the Brand signed it', async () => {
    const claims = { iat: nowInSeconds() - 400, exp: nowInSeconds() - 200 }
    const late = await verifyAssertion(await sign({ claims }), brand)
    expect(late).toEqual({ ok: false, fault: 'stale', purpose: { userCode: 'WDJBMJHT' } })
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await verifyAssertion(await sign({ claims, key: privateKey }), brand)
    expect(forged).toEqual({ ok: false, fault: 'forged' })
  })

  it.each<[string, Record<string, unknown>]>([
    ['no iss', { iss: undefined }],
    ['another iss', { iss: 'https://other.example' }],
    ['an iss with a slash', { iss: 'http://localhost/' }],
    ['an iss of another type', { iss: ['x'] }],
    ['no aud', { aud: undefined }],
    ['the aud of another Brand', { aud: authorizationServer(OTHER_BRAND_ID).consentUrl }],
    ['the issuer as aud', { aud: authorizationServer(BRAND_ID).issuer }],
    ['an aud with a query', { aud: `${consentUrl}?user_code=WDJB-MJHT` }],
    ['an aud in an array', { aud: [consentUrl] }],
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub too long', { sub: 'x'.repeat(256) }],
    ['a sub of another type', { sub: 7 }],
    ['a sub that can’t be stored', { sub: 'a\0' }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a jti too long', { jti: 'x'.repeat(256) }],
    ['a jti of another type', { jti: 7 }],
    ['a jti that can’t be stored', { jti: '\ud800' }],
    ['a user_code of another type', { user_code: 7 }],
    ['a user_code that is none', { user_code: 'WDJB-MJH' }],
    ['a user_code and a view', { view: 'grants' }],
    ['a view that is unknown', { user_code: undefined, view: 'everything' }],
    ['no iat', { iat: undefined }],
    ['an iat of another type', { iat: '1' }],
    ['no exp', { exp: undefined }],
    ['an exp of another type', { exp: '1' }],
    ['a life too long', { exp: nowInSeconds() + 330 }],
    ['an exp before its iat', { iat: nowInSeconds() + 20, exp: nowInSeconds() + 10 }],
    ['an nbf of another type', { nbf: 'soon' }],
  ])('is refused with %s', async (_what, claims) => {
    expect(await faultOf({ claims })).toBe('forged')
  })

  it.each<[string, number, string | undefined]>([
    ['29 s after its end', 149, undefined],
    ['31 s after its end', 151, 'stale'],
    ['29 s before its beginning', -29, undefined],
    ['31 s before its beginning', -31, 'stale'],
  ])('%s', async (_when, seconds, fault) => {
    const iat = nowInSeconds()
    const assertion = await sign({ claims: { iat, exp: iat + 120 } })
    setClock(() => (iat + seconds) * 1000)
    const verified = await verifyAssertion(assertion, brand)
    expect(verified.ok ? undefined : verified.fault).toBe(fault)
  })

  it.each<[string, NonNullable<AssertionParts['header']>]>([
    ['the typ of a delegation token', { typ: 'at+jwt' }],
    ['the typ of a receipt', { typ: 'application/pact-receipt+jws' }],
    ['the typ of a card signature', { typ: 'JOSE' }],
    ['the typ of a DPoP proof', { typ: 'dpop+jwt' }],
    ['a kid that is unknown', { kid: 'other' }],
    ['a kid of another type', { kid: 7 as unknown as string }],
  ])('is refused with %s', async (_what, header) => {
    expect(await faultOf({ header })).toBe('forged')
  })

  it('may have no typ or kid', async () => {
    for (const header of [{ typ: undefined }, { typ: 'application/jwt' }, { kid: undefined }]) {
      expect(await faultOf({ header: header as never })).toBeUndefined()
    }
  })

  it('is refused when somebody else signed it: another key, another Brand’s login, or nobody', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    expect(await faultOf({ key: privateKey })).toBe('forged')
    const claims = { ...right, iss: login.origin }
    const foreign = await otherLogin.sign(consentUrl, { claims })
    expect(await verifyAssertion(foreign, brand)).toEqual({ ok: false, fault: 'forged' })
    const [, payload] = (await sign()).split('.')
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const unsigned = encode({ alg: 'none', typ: 'JWT' })
    const symmetric = encode({ alg: 'HS256', typ: 'JWT', kid: 'login-key' })
    const published = await (await fetch(login.settings.jwksUri)).text()
    const mac = createHmac('sha256', published).update(`${symmetric}.${payload}`).digest('base64url')
    for (const token of [
      `${unsigned}.${payload}.`,
      `${unsigned}.${payload}.eA`,
      `${symmetric}.${payload}.${mac}`,
    ]) {
      expect(await verifyAssertion(token, brand)).toEqual({ ok: false, fault: 'forged' })
    }
  })

  it('is refused with a critical header, and with a key that it brings along', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    expect(await faultOf({ key: privateKey, header: { jwk, kid: undefined } as never })).toBe('forged')
    expect(await faultOf({ header: { crit: ['b64'], b64: true } as never })).toBe('forged')
  })

  it('can’t be checked while the login’s keys are out of reach: that is nobody’s forgery', async () => {
    const host = await startDocumentHost()
    const settings = { ...login.settings, jwksUri: `${host.origin}/nothing.json` }
    expect(await verifyAssertion(await sign(), brandWith(settings))).toEqual({
      ok: false,
      fault: 'unreachable',
    })
    await host.close()
  })

  it('RS256 is as good as ES256', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const host = await startDocumentHost()
    host.answer('/rsa.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'rsa' }] })
    const assertion = await sign({ key: privateKey, header: { alg: 'RS256', kid: 'rsa' } })
    const settings = { ...login.settings, jwksUri: `${host.origin}/rsa.json` }
    expect(await verifyAssertion(assertion, brandWith(settings))).toMatchObject({ ok: true })
    await host.close()
  })

  it('whatever text comes is refused, and nothing breaks', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (sent) => {
        expect(await verifyAssertion(sent, brand)).toEqual({ ok: false, fault: 'forged' })
      }),
      { numRuns: 300 },
    )
    expect(await verifyAssertion('a'.repeat(9000), brand)).toEqual({ ok: false, fault: 'forged' })
  })

  it('a changed byte is always noticed', async () => {
    const assertion = await sign()
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    await fc.assert(
      fc.asyncProperty(fc.nat(assertion.length - 2), fc.constantFrom(...letters), async (at, letter) => {
        fc.pre(assertion[at] !== letter)
        const changed = assertion.slice(0, at) + letter + assertion.slice(at + 1)
        expect((await verifyAssertion(changed, brand)).ok).toBe(false)
      }),
      { numRuns: 150 },
    )
  })
})
