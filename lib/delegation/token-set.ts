import type { Caller } from '#lib/identity/caller.ts'
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
 * In SQL: the `iat` of a token of grant `g`, as a whole second. It is never before the grant's `notBefore`, which ended
 * the tokens of that same second.
 */
export const issueTime = `greatest(date_trunc('second', now()), g."notBefore")`

/** Signs the access token that goes with a refresh token which has just been stored. */
export async function completeTokenSet(
  brandId: string,
  { personalAgent }: Caller,
  refreshToken: string,
  issued: Issued,
): Promise<TokenSet> {
  const { token, expiresIn } = await signDelegationToken({
    brandId,
    clientId: personalAgent.issuer,
    ...issued,
  })
  return { accessToken: token, refreshToken, expiresIn, scopes: issued.scopes }
}
