/**
 * The `typ` of each kind of JWT and JWS that the product itself makes. Each kind has its own verifier, and none passes
 * for another (RFC 8725 §3.11). Compared without case, `application/` left out (RFC 7515 §4.1.9).
 */
export const tokenTypes = {
  /** §5.4, RFC 9068 §2.1. */
  delegation: 'at+jwt',
  /** §5.6. */
  receipt: 'pact-receipt+jws',
  /** A call of a Brand's own bot. */
  webhook: 'pact-webhook+jws',
  /** The same, where somebody tries the bot: with a User who is made up. */
  rehearsal: 'pact-rehearsal+jws',
  /** A2A 1.0 §8.4. */
  card: 'JOSE',
} as const

const ownKinds = new Set<string>(Object.values(tokenTypes).map((typ) => typ.toLowerCase()))

/** True when `typ` names a kind that the product makes: not a personal-agent JWT, whose `typ` §3.2 leaves open. */
export function isOtherKind(typ: string): boolean {
  return ownKinds.has(typ.toLowerCase().replace(/^application\//, ''))
}
