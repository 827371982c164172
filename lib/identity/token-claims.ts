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

/** What the claims are judged by: the Provider's audience (§3.1), and seconds since 1970, fractions included. */
export type ClaimContext = { audience: string; now: number }

export type ClaimRule =
  | 'aud'
  | 'iat'
  | 'exp'
  | 'not_in_future'
  | 'not_expired'
  | 'lifetime'
  | 'not_before'
  | 'sub'

/** One rule on the claims. Those of `needs` must hold before it makes sense. */
export type ClaimCheck = {
  rule: ClaimRule
  needs: readonly ClaimRule[]
  find(claims: JsonObject, context: ClaimContext): RefusalReason | undefined
}

function isTime(value: unknown): value is number {
  // JSON has no NaN, but 1e999 parses to Infinity.
  return typeof value === 'number' && Number.isFinite(value)
}

const failUnless = (holds: boolean, reason: RefusalReason) => (holds ? undefined : reason)

/** §3.2: the rules on the claims, all but `iss`, in order. What is no time counts as one that is not in order. */
export const claimChecks: readonly ClaimCheck[] = [
  // An array with the audience inside is refused: `aud` is one string.
  { rule: 'aud', needs: [], find: ({ aud }, { audience }) => failUnless(aud === audience, 'audience') },
  { rule: 'iat', needs: [], find: ({ iat }) => failUnless(isTime(iat), 'issued_at') },
  { rule: 'exp', needs: [], find: ({ exp }) => failUnless(isTime(exp), 'expiry') },
  {
    rule: 'not_in_future',
    needs: ['iat'],
    find: ({ iat }, { now }) => failUnless(isTime(iat) && iat <= now + SKEW, 'issued_in_future'),
  },
  {
    rule: 'not_expired',
    needs: ['exp'],
    find: ({ exp }, { now }) => failUnless(isTime(exp) && exp > now - SKEW, 'expired'),
  },
  {
    rule: 'lifetime',
    needs: ['iat', 'exp'],
    find: ({ iat, exp }) =>
      failUnless(isTime(iat) && isTime(exp) && exp > iat && exp <= iat + MAX_LIFETIME, 'lifetime'),
  },
  {
    rule: 'not_before',
    needs: [],
    find: ({ nbf }, { now }) =>
      failUnless(nbf === undefined || (typeof nbf === 'number' && nbf <= now + SKEW), 'not_yet_valid'),
  },
  { rule: 'sub', needs: [], find: ({ sub }) => failUnless(isSubject(sub), 'subject') },
]

/**
 * Checks the claims of a personal-agent JWT (§3.2), all but `iss`. The signature is not checked here.
 *
 * @param audience the Provider's (§3.1); an array with it inside is refused, `aud` is one string
 * @param now seconds since 1970, fractions included
 * @returns the first fault, or undefined
 */
export function findClaimFault(claims: JsonObject, audience: string, now: number): RefusalReason | undefined {
  const context = { audience, now }
  for (const { find } of claimChecks) {
    const fault = find(claims, context)
    if (fault) return fault
  }
  return undefined
}
