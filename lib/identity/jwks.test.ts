import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { setClock } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import { findVerificationKeys, jwksLimits, type KeySource } from './jwks.ts'

const MINUTE = 60_000
let host: DocumentHost
let source: KeySource
let path: string
let time = Date.now()
let ec: JWK
let otherEc: JWK
let rsa: JWK

beforeAll(async () => {
  log().level = 'silent'
  host = await startDocumentHost()
  const pairs = await Promise.all([
    generateKeyPair('ES256'),
    generateKeyPair('ES256'),
    generateKeyPair('RS256'),
  ])
  ;[ec, otherEc, rsa] = (await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey)))) as [
    JWK,
    JWK,
    JWK,
  ]
})
afterAll(() => host.close())

beforeEach(() => {
  const id = randomUUID()
  path = `/${id}/jwks.json`
  source = { id, jwksUri: host.origin + path }
  time = Date.now()
  setClock(() => time)
})
afterEach(() => setClock())

function publish(...keys: unknown[]) {
  host.answer(path, { keys })
}

function fail(status = 503) {
  host.answer(path, (_request, response) => response.writeHead(status).end())
}

/** How many keys are found, or the fault. */
async function find(kid?: string, alg: 'ES256' | 'RS256' = 'ES256') {
  const found = await findVerificationKeys(source, kid === undefined ? { alg } : { kid, alg })
  return 'fault' in found ? found.fault : found.keys.length
}

describe('JWKS: which keys count (§3.2)', () => {
  it('finds a key by kid and algorithm; the type of the key fixes the algorithm', async () => {
    publish({ ...ec, kid: 'a' }, { ...rsa, kid: 'b' })
    expect(await find('a')).toBe(1)
    expect(await find('a', 'RS256')).toBe(0)
    expect(await find('b', 'RS256')).toBe(1)
    expect(await find('b')).toBe(0)
  })

  it('takes every key of the algorithm when the token names none, and all of one kid', async () => {
    publish({ ...ec, kid: 'a' }, { ...otherEc, kid: 'a' }, otherEc, { ...rsa, kid: 'a' })
    expect(await find()).toBe(3)
    expect(await find('a')).toBe(2)
  })

  it('tries no more than 4 keys for one token', async () => {
    publish(...Array.from({ length: 20 }, () => ec))
    expect(await find()).toBe(jwksLimits.candidates)
    expect(jwksLimits.candidates).toBe(4)
  })

  it('takes an RSA exponent of 4 bytes', async () => {
    publish({ ...rsa, kid: 'a', e: 'AAEAAQ' }, { ...rsa, kid: 'b', e: 'gAAAAQ' })
    expect(await find('b', 'RS256')).toBe(1)
  })

  it.each([
    ['another curve', () => ({ kty: 'EC', crv: 'P-384', x: ec.x, y: ec.y })],
    ['a symmetric key', () => ({ kty: 'oct', k: 'c2VjcmV0' })],
    ['an encryption key', () => ({ ...ec, use: 'enc' })],
    ['another algorithm', () => ({ ...rsa, alg: 'PS256' })],
    ['the algorithm of another type', () => ({ ...ec, alg: 'RS256' })],
    ['other operations', () => ({ ...ec, key_ops: ['sign'] })],
    ['operations that are no list', () => ({ ...ec, key_ops: 'verify' })],
    ['a point off the curve', () => ({ ...ec, y: ec.x })],
    ['no coordinates', () => ({ kty: 'EC', crv: 'P-256' })],
    ['RSA of 512 bits', () => ({ ...rsa, n: rsa.n?.slice(0, 86) })],
    ['RSA of 16,384 bits', () => ({ ...rsa, n: rsa.n?.repeat(8) })],
    ['RSA of 6,144 bits', () => ({ ...rsa, n: rsa.n?.repeat(3) })],
    ['an RSA exponent of 5 bytes', () => ({ ...rsa, e: 'AQAAAAE' })],
    ['an RSA exponent of 3,072 bits', () => ({ ...rsa, e: `${'A'.repeat(2)}${'Q'.repeat(510)}` })],
    ['null', () => null],
    ['a text', () => 'key'],
  ])('passes over %s, and keeps the others', async (_name, build) => {
    const odd = build()
    publish(typeof odd === 'object' && odd ? { ...odd, kid: 'odd' } : odd, { ...ec, kid: 'good' })
    expect(await find('odd')).toBe(0)
    expect(await find('odd', 'RS256')).toBe(0)
    expect(await find('good')).toBe(1)
  })

  it('takes keys that say what they are for', async () => {
    publish({ ...ec, kid: 'a', use: 'sig', alg: 'ES256', key_ops: ['verify'] })
    expect(await find('a')).toBe(1)
  })

  it('uses the public half of a private key that was published by mistake', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    publish({ ...(await exportJWK(privateKey)), kid: 'oops', key_ops: ['sign', 'verify'] })
    const found = await findVerificationKeys(source, { kid: 'oops', alg: 'ES256' })
    expect('keys' in found && found.keys[0]?.type).toBe('public')
  })
})

describe('JWKS: limits of a fetch', () => {
  it('takes 50 keys and not 51', async () => {
    publish(...Array.from({ length: jwksLimits.keys }, () => ({ kty: 'oct' })))
    expect(await find('a')).toBe(0)
    source = { ...source, id: randomUUID() }
    publish(...Array.from({ length: jwksLimits.keys + 1 }, () => ({ kty: 'oct' })))
    expect(await find('a')).toBe('jwks_invalid')
  })

  it('takes 64 KiB and not a byte more', async () => {
    const padded = (size: number) => {
      const text = JSON.stringify({ keys: [{ ...ec, kid: 'a' }] })
      return text + ' '.repeat(size - text.length)
    }
    host.answer(path, (_request, response) => response.end(padded(jwksLimits.bytes)))
    expect(await find('a')).toBe(1)
    source = { ...source, id: randomUUID() }
    host.answer(path, (_request, response) => response.end(padded(jwksLimits.bytes + 1)))
    expect(await find('a')).toBe('jwks_invalid')
  })

  it.each(['[]', 'null', '{}', '{"keys":{}}', '{', 'x'])('%s is no JWKS', async (text) => {
    host.answer(path, (_request, response) => response.end(text))
    expect(await find('a')).toBe('jwks_invalid')
  })

  it('follows no redirect', async () => {
    host.answer('/elsewhere', { keys: [{ ...ec, kid: 'a' }] })
    host.answer(path, (_request, response) => response.writeHead(302, { Location: '/elsewhere' }).end())
    expect(await find('a')).toBe('jwks_unreachable')
    expect(host.hits('/elsewhere')).toBe(0)
  })

  it('gives up after 3 s', { timeout: 10_000 }, async () => {
    host.answer(path, () => {})
    const started = performance.now()
    expect(await find('a')).toBe('jwks_unreachable')
    expect(performance.now() - started).toBeGreaterThan(jwksLimits.timeout - 50)
    expect(performance.now() - started).toBeLessThan(jwksLimits.timeout + 1_000)
  })
})

describe('JWKS: when it is fetched', () => {
  it('fetches once for many at the same time, and not again for five minutes', async () => {
    publish({ ...ec, kid: 'a' })
    expect(await Promise.all(Array.from({ length: 50 }, () => find('a')))).toEqual(Array(50).fill(1))
    time += jwksLimits.freshFor - 1
    await find('a')
    expect(host.hits(path)).toBe(1)
    time += 1
    await find('a')
    await expect.poll(() => host.hits(path)).toBe(2)
  })

  it('fetches beside the requests from five minutes on, and in front of them from ten', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    const waiting: (() => void)[] = []
    host.answer(path, (_request, response) => {
      waiting.push(() => response.end(JSON.stringify({ keys: [{ ...otherEc, kid: 'b' }] })))
    })
    time += jwksLimits.freshFor
    for (let n = 0; n < 5; n++) expect(await find('a')).toBe(1)
    time += jwksLimits.waitedForAfter - jwksLimits.freshFor - 1
    expect(await find('a')).toBe(1)
    time += 1
    const found = find('a')
    await expect.poll(() => waiting.length).toBe(1)
    for (const finish of waiting) finish()
    expect(await found).toBe(0)
    expect(host.hits(path)).toBe(2)
  })

  it('does not ask twice for an unknown kid of keys that were not held yet', async () => {
    publish({ ...ec, kid: 'a' })
    expect(await Promise.all([find('x'), find('y')])).toEqual([0, 0])
    expect(await find('z')).toBe(0)
    expect(host.hits(path)).toBe(1)
    time += jwksLimits.unknownKidPause
    await find('z')
    expect(host.hits(path)).toBe(2)
  })

  it('finds a new key at once, and an unknown kid makes it ask at most every 30 s', async () => {
    publish({ ...ec, kid: 'old' })
    await find('old')
    publish({ ...ec, kid: 'old' }, { ...otherEc, kid: 'new' })
    expect(await find('new')).toBe(1)
    expect(host.hits(path)).toBe(2)
    for (let n = 0; n < 20; n++) expect(await find(`unknown-${n}`)).toBe(0)
    expect(host.hits(path)).toBe(2)
    time += jwksLimits.unknownKidPause
    expect(await Promise.all([find('x'), find('y'), find('z')])).toEqual([0, 0, 0])
    expect(host.hits(path)).toBe(3)
  })

  it('forgets a key that is no longer published', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    publish({ ...otherEc, kid: 'b' })
    time += jwksLimits.waitedForAfter
    expect(await find('a')).toBe(0)
  })

  it('keeps keys of different personal agents and of a changed address apart', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    source = { ...source, jwksUri: `${host.origin}/moved/${source.id}` }
    expect(await find('a')).toBe('jwks_unreachable')
  })
})

describe('JWKS: a host that is down', () => {
  it('serves stale keys for an hour after the last success, no longer', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    fail()
    time += 59 * MINUTE
    expect(await find('a')).toBe(1)
    time += MINUTE
    expect(await find('a')).toBe('jwks_unreachable')
  })

  it('asks a failing host every 30 s while it holds keys, and nobody waits for it', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    fail()
    time += jwksLimits.waitedForAfter
    await find('a')
    for (let n = 0; n < 20; n++) expect(await find('a')).toBe(1)
    expect(host.hits(path)).toBe(2)
    host.answer(path, () => {})
    time += jwksLimits.pauseWithKeys
    const started = performance.now()
    expect(await find('a')).toBe(1)
    expect(performance.now() - started).toBeLessThan(500)
  })

  it('asks every 5 s while it holds none', async () => {
    fail()
    for (let n = 0; n < 20; n++) expect(await find('a')).toBe('jwks_unreachable')
    expect(host.hits(path)).toBe(1)
    publish({ ...ec, kid: 'a' })
    time += jwksLimits.pauseWithoutKeys
    expect(await find('a')).toBe(1)
  })

  it('treats a JWKS that turned invalid as a failure: stale keys stand in', async () => {
    publish({ ...ec, kid: 'a' })
    await find('a')
    host.answer(path, { keys: 'none' })
    time += jwksLimits.waitedForAfter
    expect(await find('a')).toBe(1)
  })
})
