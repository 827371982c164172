import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto'
import type { JWK } from 'jose'
import type { Provider } from './provider.ts'
import { type Claims, strangersKey, type TokenChanges } from './tokens.ts'

/** A token that §3.2 refuses, and why. */
export type BadToken = { why: string; make(provider: Provider): Promise<string> | string }

/** Claims that depend on the Provider's time and on what is registered. */
type ClaimsOf = (now: number, provider: Provider) => Claims

function claims(why: string, of: ClaimsOf): BadToken {
  return { why, make: (provider) => provider.signer.sign({ claims: of(provider.now(), provider) }) }
}

function signed(why: string, changes: (provider: Provider) => TokenChanges): BadToken {
  return { why, make: (provider) => provider.signer.sign(changes(provider)) }
}

function jwkOf(provider: Provider): JWK {
  return provider.target.personalAgent.privateJwk
}

/** The published key as the secret of an HMAC: the confusion that RFC 8725 §2.1 warns of. */
function publicPem(provider: Provider): Uint8Array {
  const key = createPublicKey({ key: { ...jwkOf(provider) }, format: 'jwk' })
  return Buffer.from(key.export({ type: 'spki', format: 'pem' }))
}

/** The personal agent's own key where it is RSA: then nothing but `alg` is wrong. */
function rsaKey(provider: Provider): KeyObject {
  const jwk = jwkOf(provider)
  return jwk.kty === 'RSA'
    ? createPrivateKey({ key: { ...jwk }, format: 'jwk' })
    : strangersKey({ kty: 'RSA' })
}

function dropSignature(token: string): string {
  return `${token.split('.').slice(0, 2).join('.')}.`
}

/** Another token's signature under these claims. */
async function swapPayload({ signer }: Provider): Promise<string> {
  const [header, , signature] = (await signer.sign()).split('.')
  const [, payload] = (await signer.sign({ claims: { sub: `other-${randomUUID()}` } })).split('.')
  return `${header}.${payload}.${signature}`
}

/** §3.2: `alg`, `kid` and the signature. */
export const badSignatures: BadToken[] = [
  { why: 'alg is none, without a signature', make: ({ signer }) => signer.unsecured() },
  { why: 'alg is none, with something for a signature', make: ({ signer }) => signer.unsecured('AAAA') },
  signed('alg is HS256, with the public key as the secret', (provider) => ({
    header: { alg: 'HS256' },
    key: publicPem(provider),
  })),
  signed('alg is ES384', () => ({
    header: { alg: 'ES384' },
    key: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  })),
  signed('alg is PS256', (provider) => ({ header: { alg: 'PS256' }, key: rsaKey(provider) })),
  signed('signed with another key, under the right kid', (provider) => ({
    key: strangersKey(jwkOf(provider)),
  })),
  signed('signed with another key, under an unknown kid', (provider) => ({
    header: { kid: randomUUID() },
    key: strangersKey(jwkOf(provider)),
  })),
  { why: 'the signature is missing', make: async ({ signer }) => dropSignature(await signer.sign()) },
  { why: 'the claims were changed after signing', make: swapPayload },
]

/** `iss` (§3.1: exact string match) and `sub`. */
export const badIssuersAndSubjects: BadToken[] = [
  claims('iss is absent', () => ({ iss: undefined })),
  claims('iss is not a string', (_, { target }) => ({ iss: [target.personalAgent.issuer] })),
  claims('iss is nobody registered', () => ({ iss: `https://${randomUUID()}.invalid` })),
  claims('iss has a slash more or less than the registered issuer', (_, { target }) => ({
    iss: toggleSlash(target.personalAgent.issuer),
  })),
  claims('iss is the registered issuer in upper case', (_, { target }) => ({
    iss: target.personalAgent.issuer.toUpperCase(),
  })),
  claims('sub is absent', () => ({ sub: undefined })),
  claims('sub is null', () => ({ sub: null })),
  claims('sub is not a string', () => ({ sub: 4711 })),
]

function toggleSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`
}

/** `aud`: the assigned audience, one string. */
export const badAudiences: BadToken[] = [
  claims('aud is absent', () => ({ aud: undefined })),
  claims('aud is another string', () => ({ aud: `not-the-audience-${randomUUID()}` })),
  claims('aud only begins with the assigned audience', (_, { target }) => ({ aud: `${target.audience}/` })),
  claims('aud is the interface URL', (_, { interfaceUrl }) => ({ aud: interfaceUrl })),
  claims('aud is an array of the assigned audience', (_, { target }) => ({ aud: [target.audience] })),
  claims('aud is an array of two', (_, { target }) => ({ aud: [target.audience, 'another'] })),
  claims('aud is not a string', () => ({ aud: 1 })),
]

/** `iat`, `exp` and the clock. The Provider's clock is known to about a second: hence 33, not 31. */
export const badTimes: BadToken[] = [
  claims('iat is absent', () => ({ iat: undefined })),
  claims('iat is not a number', (now) => ({ iat: String(now) })),
  claims('iat is more than 30 s in the future', (now) => ({ iat: now + 33, exp: now + 120 })),
  claims('exp is absent', () => ({ exp: undefined })),
  claims('exp is not a number', (now) => ({ exp: String(now + 120) })),
  claims('exp is 301 s after iat', (now) => ({ iat: now, exp: now + 301 })),
  claims('exp is a day after iat', (now) => ({ iat: now, exp: now + 86_400 })),
  claims('exp is 301 s after an iat in the past', (now) => ({ iat: now - 100, exp: now + 201 })),
  claims('exp passed more than 30 s ago', (now) => ({ iat: now - 153, exp: now - 33 })),
  claims('exp passed an hour ago', (now) => ({ iat: now - 3720, exp: now - 3600 })),
]
