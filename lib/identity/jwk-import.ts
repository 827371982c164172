import { importJWK, type JWK } from 'jose'
import type { JsonObject, TokenAlgorithm } from './token-format.ts'

/** A public key that may verify personal-agent JWTs. Its own type fixes the algorithm (RFC 8725 §3.1). */
export type VerificationKey = { kid: string | undefined; alg: TokenAlgorithm; key: CryptoKey }

/** RSA moduli in bits: weaker ones prove nothing, longer ones only cost time. */
const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 4096
/** A verification costs the more the longer the exponent is; the usual one, 65537, has 3 bytes. */
const MAX_RSA_EXPONENT_BYTES = 4

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function algorithmOf(jwk: JsonObject): TokenAlgorithm | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  return jwk.kty === 'RSA' ? 'RS256' : undefined
}

/** RFC 7517 §4.2–4.4: `use`, `key_ops` and `alg` restrict a key; those that are absent restrict nothing. */
function mayVerify(jwk: JsonObject, alg: TokenAlgorithm): boolean {
  if (jwk.use !== undefined && jwk.use !== 'sig') return false
  if (jwk.alg !== undefined && jwk.alg !== alg) return false
  const operations = jwk.key_ops
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
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
  return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
}

/**
 * Imports one member of a JWKS.
 *
 * @returns undefined for what can't verify a personal-agent JWT: other kinds, other uses, malformed keys, those too weak or too costly
 */
export async function importVerificationKey(jwk: unknown): Promise<VerificationKey | undefined> {
  if (!isObject(jwk)) return undefined
  const alg = algorithmOf(jwk)
  if (!alg || !mayVerify(jwk, alg) || !isCheap(jwk, alg)) return undefined
  try {
    const key = await importJWK(publicMembers(jwk, alg), alg)
    if (key instanceof Uint8Array || !hasRightSize(key)) return undefined
    return { kid: typeof jwk.kid === 'string' ? jwk.kid : undefined, alg, key }
  } catch {
    return undefined
  }
}
