/**
 * The `typ` of each kind of JWT and JWS in the product. Each kind has its own verifier, which accepts its own `typ` and no
 * other, so that none passes for another (RFC 8725 §3.11). Compared without case (RFC 7515 §4.1.9).
 */
export const tokenTypes = {
  /** §3.2 does not name one: absent, or RFC 7519's own. */
  personalAgent: 'JWT',
  /** §5.4, RFC 9068 §2.1. */
  delegation: 'at+jwt',
  /** §5.6. */
  receipt: 'pact-receipt+jws',
  /** A2A 1.0 §8.4. */
  card: 'JOSE',
} as const
