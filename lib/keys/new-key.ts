import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { getMasterKey } from './master-key.ts'
import { seal } from './sealing.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A signing key that was just made, as the database keeps it. */
export type NewKey = {
  /** RFC 7638 thumbprint, of the public key. */
  kid: string
  publicJwk: PublishedJwk
  sealedPrivate: Uint8Array<ArrayBuffer>
}

/** A public key as it is published (RFC 7517): without private members. */
export type PublishedJwk = JWK & { kid: string; alg: 'ES256'; use: 'sig' }

type KeyPair = { privateKey: CryptoKey; jwk: JWK; kid: string }

/** A command line takes for an option what begins with a hyphen: such a `kid` is not kept. */
async function generateNamedKey(): Promise<KeyPair> {
  for (;;) {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
    const { kty, crv, x, y } = await exportJWK(publicKey)
    const jwk = { kty, crv, x, y } as JWK
    const kid = await calculateJwkThumbprint(jwk)
    if (!kid.startsWith('-')) return { privateKey, jwk, kid }
  }
}

/**
 * Makes an ES256 key for one Brand, its private half sealed under the master key.
 *
 * @throws MasterKeyError
 */
export async function makeKey(brandId: string): Promise<NewKey> {
  const { privateKey, jwk, kid } = await generateNamedKey()
  const plain = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  const sealedPrivate = seal(plain, await getMasterKey(), { brandId, kid })
  plain.fill(0)
  return {
    kid,
    publicJwk: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    sealedPrivate: new Uint8Array(sealedPrivate),
  }
}

/** A private key for signing alone: it can't be taken out of the process's memory by its own interface. */
export function importPrivateKey(pkcs8: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', pkcs8, P256, false, ['sign'])
}

/** A published key for verifying. */
export function importPublicKey({ kty, crv, x, y }: JWK): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, P256, false, ['verify'])
}
