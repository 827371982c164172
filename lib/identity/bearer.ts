/** The longest `Authorization` header that is read, in characters. */
const MAX_LENGTH = 8192

const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/**
 * Reads the one token of an `Authorization` header (RFC 6750 §2.1; the scheme is told without case, RFC 9110 §11.1).
 *
 * @param authorization the header's value; several headers arrive joined by commas and are refused
 * @returns a token in the shape of a compact JWS (RFC 7515 §7.1), or why there is none
 */
export function readBearerToken(
  authorization: string | null,
): { ok: true; token: string } | { ok: false; reason: 'no_token' | 'malformed' } {
  if (authorization?.slice(0, 6).toLowerCase() !== 'bearer') return noToken
  if (authorization.length > MAX_LENGTH) return malformed
  // `Bearer` must end where the scheme does: `Bearerx y` is another scheme.
  if (authorization.length > 6 && authorization[6] !== ' ') return noToken
  const token = authorization.slice(6).trim()
  if (token === '') return noToken
  return COMPACT_JWS.test(token) ? { ok: true, token } : malformed
}

const noToken = { ok: false, reason: 'no_token' } as const
const malformed = { ok: false, reason: 'malformed' } as const
