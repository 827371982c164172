import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Account } from './accounts.ts'
import type { LoginKey } from './login-key.ts'

/** How long an assertion lives, in seconds; 300 are allowed. It is posted at once. */
const LIFETIME = 120

/** What the User logs in for. */
export type Purpose = { user_code: string } | { view: 'grants' }

/**
 * Says to the Provider who has logged in (§5.3): a single-use assertion bound to one user code, or to the view of what the
 * User has allowed.
 *
 * @param options.issuer the Brand's login, as the Provider knows it
 * @param options.consentUrl the one URL that the assertion is for
 */
export async function signAssertion(
  key: LoginKey,
  options: { issuer: string; consentUrl: string; account: Account; purpose: Purpose },
): Promise<string> {
  const { issuer, consentUrl, account, purpose } = options
  const issuedAt = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...purpose, name: account.name, email: account.email })
    .setProtectedHeader({ alg: 'ES256', kid: key.publicJwk.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(account.id)
    .setAudience(consentUrl)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME)
    .setJti(randomUUID())
    .sign(key.privateKey)
}
