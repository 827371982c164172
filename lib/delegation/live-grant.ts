import {
  batchedStatement,
  type Columns,
  itemsOf,
  type StatementOfMany,
} from '#lib/platform/batched-statement.ts'

/** How far in the future an `iat` may be, in seconds: one is never before the `notBefore` of its grant. */
const SKEW = 30

/** A delegation token that has been verified. Its `iat` and `exp` are in seconds. */
type VerifiedToken = {
  grantId: string
  brandId: string
  personalAgentId: string
  subject: string
  brandUserId: string
  issuedAt: number
  expiresAt: number
}

const columns: Columns<VerifiedToken> = {
  grantId: 'text',
  brandId: 'text',
  personalAgentId: 'uuid',
  subject: 'text',
  brandUserId: 'text',
  issuedAt: 'float8',
  expiresAt: 'float8',
}

export const findLiveGrantStatement: StatementOfMany<VerifiedToken> = {
  name: 'find-live-grants',
  columns,
  text: `
WITH ${itemsOf(columns)}
SELECT item."n", g."scopes" FROM item JOIN "Grant" g ON g."id" = item."grantId" AND g."brandId" = item."brandId"
  AND g."personalAgentId" = item."personalAgentId" AND g."subject" = item."subject" AND g."brandUserId" = item."brandUserId"
WHERE g."revokedAt" IS NULL AND g."expiresAt" > now()
  AND (g."notBefore" IS NULL OR g."notBefore" <= to_timestamp(item."issuedAt"))
  AND to_timestamp(item."issuedAt") <= now() + ${SKEW} * interval '1 second' AND to_timestamp(item."expiresAt") > now()`,
}

/**
 * Finds the grant behind a delegation token that has been verified (§5.5): not revoked, not expired, the caller's own,
 * and the token neither expired nor ended by a refresh token that came twice. Read from the database each time, so that a
 * revocation acts at once on every instance; its clock is also the one that gave the token its times.
 *
 * @returns the scopes that the grant has at this moment: the token counts for no other. Undefined: the token is bad
 */
export const findLiveGrant = batchedStatement<VerifiedToken, { scopes: string[] }>(findLiveGrantStatement)
