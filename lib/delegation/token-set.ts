import type { Caller } from '#lib/identity/caller.ts'
import type { Signer } from '#lib/keys/signer.ts'
import { signDelegationToken } from './delegation-token.ts'

/** What a token request gets (RFC 6749 §5.1). */
export type TokenSet = {
  accessToken: string
  refreshToken: string
  /** Seconds that the access token lives. */
  expiresIn: number
  /** What the access token carries. */
  scopes: string[]
}

/** What a statement that issues a refresh token says of the access token that goes with it. Times are in seconds. */
export type Issued = {
  grantId: string
  brandUserId: string
  scopes: string[]
  issuedAt: number
  endsAt: number
}

/**
 * In SQL: the `iat` of a token, as a whole second. It is never before the grant's `notBefore`, which ended the tokens of
 * that same second. It belongs behind the lock on the grant, where the clock has gone on while the statement waited:
 * whatever was issued before under that lock has no later one.
 */
export const issueTime = `greatest(date_trunc('second', clock_timestamp()), "notBefore")`

/**
 * Signs the access token that goes with a refresh token which has just been stored. It asks nobody: what was used up for
 * it must not be lost.
 *
 * @param signer obtained before that
 */
export async function completeTokenSet(
  signer: Signer,
  brandId: string,
  { personalAgent }: Caller,
  refreshToken: string,
  issued: Issued,
): Promise<TokenSet> {
  const { token, expiresIn } = await signDelegationToken({
    signer,
    brandId,
    clientId: personalAgent.issuer,
    ...issued,
  })
  return { accessToken: token, refreshToken, expiresIn, scopes: issued.scopes }
}
