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

// The grant is found by its id alone and judged behind that. What `rowHas` does is not enough here: that a grant is not
// revoked names an index of all those of a Brand.
export const findLiveGrantStatement: StatementOfMany<VerifiedToken> = {
  name: 'find-live-grants',
  columns,
  text: `
WITH ${itemsOf(columns)}
SELECT item."n", g."scopes"
FROM item CROSS JOIN LATERAL (SELECT * FROM "Grant" g WHERE g."id" = item."grantId" OFFSET 0) g
WHERE (g."brandId", g."personalAgentId", g."subject", g."brandUserId")
    = (item."brandId", item."personalAgentId", item."subject", item."brandUserId")
  AND g."revokedAt" IS NULL AND g."expiresAt" > now()
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
