import { compactVerify } from 'jose'
import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { findVerificationKeys } from '#lib/identity/jwks.ts'
import { findClaimFault } from '#lib/identity/token-claims.ts'
import {
  type DecodedToken,
  decodeToken,
  findHeaderFault,
  isTokenAlgorithm,
  type JsonObject,
} from '#lib/identity/token-format.ts'
import { now } from '#lib/platform/clock.ts'
import { isStorable, makeVisible } from '#lib/platform/text.ts'
import { loginKeySource, noteHeldLoginKeys } from './login-keys.ts'
import { readUserCode } from './opaque-codes.ts'

/** The longest assertion that is read, in characters. */
const MAX_LENGTH = 8192
const MAX_JTI_LENGTH = 255
/** The most of a name or an address that is shown, in characters. */
const MAX_DISPLAY_LENGTH = 200

const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** A User of the Brand, as its login named them. */
export type Account = {
  /** The User's id at the Brand (§5.4 `sub`). */
  brandUserId: string
  /** For display only, as is `email`. */
  name: string | undefined
  email: string | undefined
}

/**
 * What a User logged in for: one user code (its eight letters), to see what they have allowed, or, where the link had no
 * code (RFC 8628 §3.3), to type one.
 */
export type LoginPurpose = { userCode: string } | 'grants' | 'enter-code'

/** What a login assertion says (§5.3), once its signature and claims have been verified. */
export type Assertion = {
  account: Account
  purpose: LoginPurpose
  jti: string
  /** `exp`, in seconds. */
  expiresAt: number
}

/**
 * Why an assertion is refused. `unreachable`: the Brand's keys could not be fetched, which is not the User's doing.
 * `stale`: right in everything but its time. `forged`: all else.
 */
export type AssertionFault = 'forged' | 'stale' | 'unreachable'

const staleFaults = new Set(['expired', 'issued_in_future'])

/** RFC 8725 §3.11: no `typ`, or the general one. Every other kind of JWT names itself. */
export function isAssertionType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === 'jwt'
}

function readPurpose({ user_code: userCode, view }: JsonObject): LoginPurpose | undefined {
  if (view !== undefined) return view === 'grants' && userCode === undefined ? 'grants' : undefined
  if (userCode === undefined) return 'enter-code'
  const letters = typeof userCode === 'string' ? readUserCode(userCode) : undefined
  return letters === undefined ? undefined : { userCode: letters }
}

function readDisplay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isStorable(value)) return undefined
  // Cut between characters, never inside one.
  return makeVisible([...value.trim()].slice(0, MAX_DISPLAY_LENGTH).join('')) || undefined
}

/** A `jti` that each works once: it must be there, and storable. */
export function isUsableJti(jti: unknown): jti is string {
  return typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_LENGTH && isStorable(jti)
}

/** Decodes an assertion. Nothing in it is verified. @returns undefined when it is none, or too long */
export function decodeAssertion(text: string): DecodedToken | undefined {
  return text.length <= MAX_LENGTH && COMPACT_JWS.test(text) ? decodeToken(text) : undefined
}

function readAssertion(claims: JsonObject): Assertion | undefined {
  const { sub, jti, exp, name, email } = claims
  const purpose = readPurpose(claims)
  if (!purpose || !isUsableJti(jti)) return undefined
  const account = { brandUserId: String(sub), name: readDisplay(name), email: readDisplay(email) }
  return { account, purpose, jti, expiresAt: Number(exp) }
}

/** Why no key of a Brand's login signed this assertion; undefined when one did. */
export async function findSignatureFault(
  token: string,
  header: JsonObject,
  brand: { id: string; jwksUri: string },
): Promise<AssertionFault | undefined> {
  const { alg, kid } = header
  if (!isTokenAlgorithm(alg)) return 'forged'
  const wanted = typeof kid === 'string' ? { alg, kid } : { alg }
  const found = await findVerificationKeys(loginKeySource(brand), wanted)
  noteHeldLoginKeys(brand)
  if ('fault' in found) return 'unreachable'
  for (const key of found.keys) {
    if (
      await compactVerify(token, key).then(
        () => true,
        () => false,
      )
    )
      return undefined
  }
  return 'forged'
}

/**
 * Verifies a Brand's login assertion (§5.3): form, header, issuer, audience, times, `sub`, `jti`, what it is for, then the
 * signature by a key of the Brand's login. Whether it has been used, and whether its user code exists, is not checked here.
 *
 * @param text as the form had it
 * @returns the reason when it is refused, and of a stale one what it was for; never rejects for what was sent
 */
export async function verifyAssertion(
  text: string,
  { id, delegation }: Brand,
): Promise<
  { ok: true; assertion: Assertion } | { ok: false; fault: AssertionFault; purpose?: LoginPurpose }
> {
  const decoded = decodeAssertion(text)
  const forged = { ok: false, fault: 'forged' } as const
  if (!decoded || !delegation) return forged
  const { header, claims } = decoded
  if (findHeaderFault(header) || !isAssertionType(header.typ)) return forged
  if (claims.iss !== delegation.login.issuer) return forged
  const claimFault = findClaimFault(claims, authorizationServer(id).consentUrl, now() / 1000)
  if (claimFault && !staleFaults.has(claimFault)) return forged
  const assertion = readAssertion(claims)
  if (!assertion) return forged
  const fault = await findSignatureFault(text, header, { id, jwksUri: delegation.login.jwksUri })
  if (fault) return { ok: false, fault }
  return claimFault ? { ok: false, fault: 'stale', purpose: assertion.purpose } : { ok: true, assertion }
}
