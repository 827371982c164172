import { importJWK, type JWK } from 'jose'
import { isMap } from '#lib/platform/json-map.ts'
import type { JsonObject, TokenAlgorithm } from './token-format.ts'

/** A public key that may verify personal-agent JWTs. Its own type fixes the algorithm (RFC 8725 §3.1). */
export type VerificationKey = { kid: string | undefined; alg: TokenAlgorithm; key: CryptoKey }

/** Why a member of a JWKS can't verify a personal-agent JWT. */
export type KeyFault =
  /** Not a JSON object. */
  | 'not_an_object'
  /** Neither RSA nor EC on P-256 (§3.2). */
  | 'type'
  /** `use` is not `sig`. */
  | 'use'
  /** `alg` is not the one that §3.2 allows for its type. */
  | 'algorithm'
  /** `key_ops` is without `verify`. */
  | 'operations'
  /** The RSA exponent costs too much time. */
  | 'exponent'
  /** An RSA modulus of fewer or more bits than {@link rsaBits} allows. */
  | 'size'
  /** Its numbers are no key. */
  | 'malformed'

/** RSA moduli in bits: weaker ones prove nothing, longer ones only cost time. */
export const rsaBits = { min: 2048, max: 4096 } as const
/** A verification costs the more the longer the exponent is; the usual one, 65537, has 3 bytes. */
const MAX_RSA_EXPONENT_BYTES = 4

function algorithmOf(jwk: JsonObject): TokenAlgorithm | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  return jwk.kty === 'RSA' ? 'RS256' : undefined
}

/** RFC 7517 §4.2–4.4: `use`, `key_ops` and `alg` restrict a key; those that are absent restrict nothing. */
function findUseFault(jwk: JsonObject, alg: TokenAlgorithm): KeyFault | undefined {
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'use'
  if (jwk.alg !== undefined && jwk.alg !== alg) return 'algorithm'
  const operations = jwk.key_ops
  if (operations === undefined) return undefined
  return Array.isArray(operations) && operations.includes('verify') ? undefined : 'operations'
}

/** The public members alone: a private key that somebody published by mistake is never held in memory. */
function publicMembers(jwk: JsonObject, alg: TokenAlgorithm): JWK {
  return alg === 'ES256'
    ? { kty: 'EC', crv: 'P-256', x: String(jwk.x), y: String(jwk.y) }
    : { kty: 'RSA', n: String(jwk.n), e: String(jwk.e) }
}

function isCheap(jwk: JsonObject, alg: TokenAlgorithm): boolean {
  return alg !== 'RS256' || Buffer.byteLength(String(jwk.e), 'base64url') <= MAX_RSA_EXPONENT_BYTES
}

function hasRightSize(key: CryptoKey): boolean {
  if (!('modulusLength' in key.algorithm)) return true
  const bits = Number(key.algorithm.modulusLength)
  return bits >= rsaBits.min && bits <= rsaBits.max
}

/** Reads one member of a JWKS: a key that may verify personal-agent JWTs, or why it may not. Never rejects. */
export async function readVerificationKey(jwk: unknown): Promise<VerificationKey | { fault: KeyFault }> {
  if (!isMap(jwk)) return { fault: 'not_an_object' }
  const alg = algorithmOf(jwk)
  if (!alg) return { fault: 'type' }
  const useFault = findUseFault(jwk, alg)
  if (useFault) return { fault: useFault }
  if (!isCheap(jwk, alg)) return { fault: 'exponent' }
  try {
    const key = await importJWK(publicMembers(jwk, alg), alg)
    if (key instanceof Uint8Array) return { fault: 'malformed' }
    if (!hasRightSize(key)) return { fault: 'size' }
    return { kid: typeof jwk.kid === 'string' ? jwk.kid : undefined, alg, key }
  } catch {
    return { fault: 'malformed' }
  }
}

/**
 * Imports one member of a JWKS.
 *
 * @returns undefined for what can't verify a personal-agent JWT: other kinds, other uses, malformed keys, those too weak or too costly
 */
export async function importVerificationKey(jwk: unknown): Promise<VerificationKey | undefined> {
  const read = await readVerificationKey(jwk)
  return 'fault' in read ? undefined : read
}
