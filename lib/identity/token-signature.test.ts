import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { setClock } from '#lib/platform/clock.ts'
import { log } from '#lib/platform/log.ts'
import type { PersonalAgent } from './registry.ts'
import { type IdentityRegistry, verifyPaToken } from './verify-pa-token.ts'

const SECOND = 1_000
const issuer = 'https://pa.example.com'

type Key = Awaited<ReturnType<typeof makeKey>>

let host: DocumentHost
let own: Key
let other: Key
let token: string
let personalAgent: PersonalAgent
let audience = 'urn:example:provider'
let time = 0

const registry: IdentityRegistry = {
  findProvider: async () => ({ audience, trust: 'allowlist' }),
  findPersonalAgent: async () => personalAgent,
  recordDiscovered: () => Promise.reject(new Error('an allowlist records nobody')),
}

async function makeKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { privateKey, jwk: await exportJWK(publicKey) }
}

function sign({ privateKey }: Key, kid = 'own', more: Record<string, unknown> = {}) {
  const iat = Math.floor(time / SECOND)
  return new SignJWT({ ...more, iss: issuer, sub: 'user-1', aud: audience, iat, exp: iat + 120 })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey)
}

async function verdictOn(sent: string) {
  const result = await verifyPaToken(`Bearer ${sent}`, registry)
  return result.ok ? 'accepted' : result.reason
}

/** The JWKS is another from here on, and the Provider has fetched it. */
async function publishAnew(...keys: unknown[]) {
  host.answer(new URL(personalAgent.jwksUri).pathname, { keys })
  time += 31 * SECOND
  await verdictOn(await sign(own, 'a kid that makes it ask'))
}

beforeAll(async () => {
  log().level = 'silent'
  host = await startDocumentHost()
  ;[own, other] = await Promise.all([makeKey(), makeKey()])
})
afterAll(() => host.close())

let keySets = 0

beforeEach(async () => {
  time = Date.now()
  setClock(() => time)
  audience = 'urn:example:provider'
  keySets += 1
  const id = `0193f2f0-0000-7000-8000-${String(keySets).padStart(12, '0')}`
  const jwksUri = `${host.origin}/${keySets}.json`
  personalAgent = {
    id,
    issuer,
    jwksUri,
    name: 'Example',
    enabled: true,
    origin: 'registered',
    limits: undefined,
  }
  host.answer(`/${keySets}.json`, { keys: [{ ...own.jwk, kid: 'own' }] })
  token = await sign(own)
  expect(await verdictOn(token)).toBe('accepted')
})
afterEach(() => {
  setClock()
  vi.restoreAllMocks()
})

describe('§3.2: a token that has verified before', () => {
  it('is not verified a second time', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify')
    expect(await verdictOn(token)).toBe('accepted')
    expect(verify).not.toHaveBeenCalled()
    expect(await verdictOn(await sign(own))).toBe('accepted')
    expect(verify).toHaveBeenCalledOnce()
  })

  it('is refused once its personal agent is disabled', async () => {
    personalAgent = { ...personalAgent, enabled: false }
    expect(await verdictOn(token)).toBe('disabled')
  })

  it('is refused once it has expired', async () => {
    time += 151 * SECOND
    expect(await verdictOn(token)).toBe('expired')
  })

  it('is refused once the Provider has another audience', async () => {
    audience = 'urn:example:renamed'
    expect(await verdictOn(token)).toBe('audience')
  })

  it('is refused once its key is no longer published', async () => {
    await publishAnew({ ...other.jwk, kid: 'other' })
    expect(await verdictOn(token)).toBe('unknown_key')
  })

  it('is refused once its kid names another key', async () => {
    await publishAnew({ ...other.jwk, kid: 'own' })
    expect(await verdictOn(token)).toBe('signature')
  })

  it('is refused once its personal agent has another JWKS', async () => {
    personalAgent = { ...personalAgent, jwksUri: `${host.origin}/other-${keySets}.json` }
    host.answer(`/other-${keySets}.json`, { keys: [{ ...other.jwk, kid: 'own' }] })
    expect(await verdictOn(token)).toBe('signature')
  })

  it('is verified again when its key has been fetched again', async () => {
    await publishAnew({ ...own.jwk, kid: 'own' })
    const verify = vi.spyOn(crypto.subtle, 'verify')
    expect(await verdictOn(token)).toBe('accepted')
    expect(verify).toHaveBeenCalledOnce()
  })

  it('vouches for no other token, one bit away', async () => {
    const at = token.lastIndexOf('.') + 10
    for (const changed of ['A', 'B', 'C'].filter((letter) => letter !== token[at])) {
      expect(await verdictOn(token.slice(0, at) + changed + token.slice(at + 1))).toBe('signature')
    }
  })

  it.each([
    ['lists', { roles: ['a'] }],
    ['very many things', Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, n]))],
    ['much', { note: 'x'.repeat(2_000) }],
  ])('is verified each time where it says %s: what is remembered stays small', async (_what, more) => {
    const large = await sign(own, 'own', more)
    const verify = vi.spyOn(crypto.subtle, 'verify')
    for (const times of [1, 2]) {
      expect(await verdictOn(large)).toBe('accepted')
      expect(verify).toHaveBeenCalledTimes(times)
    }
  })

  it('is remembered only when it was right', async () => {
    const forged = await sign(other)
    for (const _time of [1, 2]) expect(await verdictOn(forged)).toBe('signature')
  })
})
