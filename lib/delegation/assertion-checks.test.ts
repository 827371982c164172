import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AssertionParts, startBrandLogin, type TestBrandLogin } from '#e2e/harness/brand-login.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { verifyAssertion } from './assertion.ts'
import { assertionChecks, explainAssertion } from './assertion-checks.ts'

let login: TestBrandLogin
let brand: Brand
let stranger: CryptoKey
const { consentUrl } = authorizationServer(BRAND_ID)

beforeAll(async () => {
  login = await startBrandLogin()
  stranger = (await generateKeyPair('ES256')).privateKey
  brand = {
    id: BRAND_ID,
    name: 'Loom',
    description: 'Orders.',
    skills: [],
    idleTime: 1,
    streaming: false,
    agent: { driver: 'scripted', timeLimitSeconds: 1, rules: [], fallback: 'x' },
    tools: [],
    privateNetworks: false,
    delegation: { login: login.settings, grantTime: 1, scopes: [] },
  }
})
afterAll(() => login.close())

const failed = async (text: string) =>
  (await explainAssertion(text, brand)).filter(({ result }) => result === 'failed').map(({ check }) => check)
const now = () => Math.floor(Date.now() / 1000)

const wrong: [string, () => AssertionParts, string[]][] = [
  ['nothing', () => ({}), []],
  ['typ', () => ({ header: { typ: 'at+jwt' } }), ['header']],
  ['iss', () => ({ claims: { iss: 'https://other.example' } }), ['issuer']],
  ['aud', () => ({ claims: { aud: `${consentUrl}?user_code=X` } }), ['audience']],
  ['aud as a list', () => ({ claims: { aud: [consentUrl] } }), ['audience']],
  ['exp too late', () => ({ claims: { exp: now() + 900 } }), ['times']],
  ['exp over', () => ({ claims: { iat: now() - 600, exp: now() - 400 } }), ['times']],
  ['no sub', () => ({ claims: { sub: undefined } }), ['subject']],
  ['no jti', () => ({ claims: { jti: undefined } }), ['jti']],
  ['another key', () => ({ key: stranger }), ['signature']],
  ['several', () => ({ claims: { iss: 'x', sub: '' }, key: stranger }), ['issuer', 'subject', 'signature']],
]

describe('each rule of the login contract (§5.3)', () => {
  it.each(wrong)('tells what is wrong: %s', async (_, parts, checks) => {
    const text = await login.sign(consentUrl, parts())
    expect(await failed(text)).toEqual(checks)
    expect((await verifyAssertion(text, brand)).ok).toBe(checks.length === 0)
  })

  it('of what is no JWT nothing else is looked at', async () => {
    const checks = await explainAssertion('hello', brand)
    expect(checks.map(({ check }) => check)).toEqual(assertionChecks)
    expect(checks.map(({ result }) => result)).toEqual(['failed', ...Array(8).fill('skipped')])
  })

  it('shows what stood there as inert text, and nothing of the User', async () => {
    const text = await login.sign(consentUrl, { claims: { iss: 'a\u202Eb', sub: '', name: 'Jane' } })
    const checks = await explainAssertion(text, brand)
    expect(checks.find(({ check }) => check === 'issuer')?.found).toBe('a[U+202E]b')
    expect(JSON.stringify(checks)).not.toContain('Jane')
  })

  it('where the keys can’t be had, the signature is not judged', async () => {
    const { delegation } = brand
    if (!delegation) throw new Error('no delegation')
    const text = await login.sign(consentUrl)
    const away = { ...login.settings, jwksUri: 'http://localhost:9/jwks.json' }
    const checks = await explainAssertion(text, { ...brand, delegation: { ...delegation, login: away } })
    expect(checks.slice(-2).map(({ result }) => result)).toEqual(['failed', 'skipped'])
  })
})
