import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { readStoredReceipt } from './receipts.ts'
import { findSignatureFault, readReceipt } from './verify-receipt.ts'

const claims = {
  grantId: 'a2agrant_1',
  user: 'jane-4471',
  pa: 'https://pa.example.com',
  brand: 'https://provider.example.com/a2a/01J',
  scopesUsed: ['orders:read'],
  actions: [{ tool: 'list_orders' }, { tool: 'cancel_order', argsHash: 'abc' }],
  ts: '2026-09-30T12:00:00Z',
}

type Pair = { jwk: JWK; privateKey: CryptoKey; alg: string }
let ours: Pair
let theirs: Pair
let rsa: Pair

async function newPair(kid: string, alg: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return { jwk: { ...(await exportJWK(publicKey)), kid }, privateKey, alg }
}

beforeAll(async () => {
  ours = await newPair('k-1', 'ES256')
  theirs = await newPair('k-1', 'ES256')
  rsa = await newPair('k-2', 'RS256')
})

function sign(payload: unknown, header: Record<string, unknown> = {}, pair: Pair = ours): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: pair.alg, kid: String(pair.jwk.kid), typ: 'pact-receipt+jws', ...header })
    .sign(pair.privateKey)
}

/** What is wrong with a receipt; undefined: nothing. */
async function faultOf(jws: string, keys: JWK[] = [ours.jwk], beside?: unknown): Promise<string | undefined> {
  const read = readReceipt({ jws, claims: beside })
  return read.ok ? findSignatureFault(jws, read.receipt, keys) : read.fault
}

describe('§5.6 verifying a receipt', () => {
  it('accepts one that a key of the JWKS signed, ES256 or RS256', async () => {
    expect(await faultOf(await sign(claims))).toBeUndefined()
    expect(await faultOf(await sign(claims), [theirs.jwk, rsa.jwk, ours.jwk], claims)).toBeUndefined()
    expect(await faultOf(await sign(claims, {}, rsa), [ours.jwk, rsa.jwk])).toBeUndefined()
  })

  it('refuses one that another key signed, or a key that is not there', async () => {
    expect(await faultOf(await sign(claims, {}, theirs))).toContain('the signature is wrong')
    expect(await faultOf(await sign(claims, { kid: 'k-9' }))).toBe('there is no key k-9 in the JWKS')
    expect(await faultOf(await sign(claims), [])).toContain('there is no key')
  })

  it('refuses a changed payload', async () => {
    const [header, , signature] = (await sign(claims)).split('.')
    const other = Buffer.from(JSON.stringify({ ...claims, user: 'tom' })).toString('base64url')
    expect(await faultOf(`${header}.${other}.${signature}`)).toContain('the signature is wrong')
  })

  it('refuses claims beside it that are not those that were signed', async () => {
    const jws = await sign(claims)
    expect(await faultOf(jws, [ours.jwk], { ...claims, user: 'tom' })).toContain('claims beside the JWS')
    expect(await faultOf(jws, [ours.jwk], { ...claims, extra: 1 })).toContain('claims beside the JWS')
  })

  it.each([['at+jwt'], ['JOSE'], ['JWT'], [undefined], [7]])('refuses another kind: typ %j', async (typ) => {
    expect(await faultOf(await sign(claims, { typ }))).toContain('its typ is')
  })

  it('accepts typ without regard to case, with its media type’s prefix', async () => {
    expect(await faultOf(await sign(claims, { typ: 'application/PACT-receipt+jws' }))).toBeUndefined()
  })

  it('refuses an algorithm that no receipt has', async () => {
    const [, payload, signature] = (await sign(claims)).split('.')
    for (const alg of ['none', 'HS256', 'ES384', 1]) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'pact-receipt+jws' })).toString('base64url')
      expect(await faultOf(`${header}.${payload}.${signature}`)).toContain('it is signed with')
    }
  })

  it('refuses ES256 swapped for RS256', async () => {
    const [, payload, signature] = (await sign(claims)).split('.')
    const header = { alg: 'RS256', kid: 'k-1', typ: 'pact-receipt+jws' }
    const swapped = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`
    expect(await faultOf(swapped)).toContain('there is no key')
  })

  const members = Object.keys(claims) as (keyof typeof claims)[]
  it.each(members.flatMap((name) => [undefined, 1, null, ''].map((value) => [name, value] as const)))(
    'refuses claims whose %s is %j',
    async (name, value) => {
      expect(await faultOf(await sign({ ...claims, [name]: value }))).toContain(`not a receipt's: ${name}`)
    },
  )

  it.each(['', 'a', 'a.b', 'a.b.c.d', 'a.b.c', '..', 'é.é.é'])('refuses %j', async (jws) => {
    expect(await faultOf(jws)).toBeTypeOf('string')
  })

  it('a stored JWS gives back the claims that were signed, member by member in their order', async () => {
    const jws = await sign(claims)
    expect(readStoredReceipt(jws).jws).toBe(jws)
    expect(JSON.stringify(readStoredReceipt(jws).claims)).toBe(JSON.stringify(claims))
  })
})
