import { isStorable } from '#lib/platform/text.ts'
import type { RefusalReason } from './caller.ts'
import type { JsonObject } from './token-format.ts'

/** §3.2: the clock skew that is allowed, in seconds. */
const SKEW = 30
/** §3.2: the longest time from `iat` to `exp`, in seconds. */
const MAX_LIFETIME = 300
const MAX_SUBJECT_LENGTH = 255
const MAX_ISSUER_LENGTH = 2048

/** A string that may be looked up as an issuer (§3.1). Unverified: good for choosing keys and nothing else. */
export function readIssuer(claims: JsonObject): string | undefined {
  const { iss } = claims
  if (typeof iss !== 'string' || iss === '' || iss.length > MAX_ISSUER_LENGTH) return undefined
  return isStorable(iss) ? iss : undefined
}

/** §3.2, `sub`: present, a string of 1 to 255 characters that the database can hold. */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH && isStorable(sub)
}

function findTimeFault(claims: JsonObject, now: number): RefusalReason | undefined {
  const { iat, exp, nbf } = claims
  // JSON has no NaN, but 1e999 parses to Infinity.
  if (!Number.isFinite(iat) || typeof iat !== 'number') return 'issued_at'
  if (!Number.isFinite(exp) || typeof exp !== 'number') return 'expiry'
  if (iat > now + SKEW) return 'issued_in_future'
  if (exp <= now - SKEW) return 'expired'
  if (exp <= iat || exp > iat + MAX_LIFETIME) return 'lifetime'
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + SKEW)) return 'not_yet_valid'
  return undefined
}

/**
 * Checks the claims of a personal-agent JWT (§3.2), all but `iss`. The signature is not checked here.
 *
 * @param audience the Provider's (§3.1); an array with it inside is refused, `aud` is one string
 * @param now seconds since 1970, fractions included
 * @returns the first fault, or undefined
 */
export function findClaimFault(claims: JsonObject, audience: string, now: number): RefusalReason | undefined {
  if (claims.aud !== audience) return 'audience'
  return findTimeFault(claims, now) ?? (isSubject(claims.sub) ? undefined : 'subject')
}
