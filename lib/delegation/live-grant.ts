import { pool } from '#lib/platform/database.ts'

/** How far in the future an `iat` may be, in seconds: one is never before the `notBefore` of its grant. */
const SKEW = 30

export const findLiveGrantStatement = {
  name: 'find-live-grant',
  text: `
SELECT "scopes" FROM "Grant"
WHERE "id" = $1 AND "brandId" = $2 AND "personalAgentId" = $3 AND "subject" = $4 AND "brandUserId" = $5
  AND "revokedAt" IS NULL AND "expiresAt" > now() AND ("notBefore" IS NULL OR "notBefore" <= to_timestamp($6))
  AND to_timestamp($6) <= now() + ${SKEW} * interval '1 second' AND to_timestamp($7) > now()`,
}

/**
 * Finds the grant behind a delegation token that has been verified (§5.5): not revoked, not expired, the caller's own,
 * and the token neither expired nor ended by a refresh token that came twice. Read from the database each time, so that a
 * revocation acts at once on every instance; its clock is also the one that gave the token its times.
 *
 * @param token.issuedAt the token's `iat`, in seconds
 * @param token.expiresAt its `exp`, in seconds
 * @returns the scopes that the grant has at this moment: the token counts for no other. Undefined: the token is bad
 */
export async function findLiveGrant(token: {
  brandId: string
  grantId: string
  personalAgentId: string
  subject: string
  brandUserId: string
  issuedAt: number
  expiresAt: number
}): Promise<{ scopes: string[] } | undefined> {
  const { rows } = await pool().query<{ scopes: string[] }>({
    ...findLiveGrantStatement,
    values: [
      token.grantId,
      token.brandId,
      token.personalAgentId,
      token.subject,
      token.brandUserId,
      token.issuedAt,
      token.expiresAt,
    ],
  })
  return rows[0]
}
