import { pool } from '#lib/platform/database.ts'

/** How many are listed. */
const LISTED = 20

/**
 * What became of a refresh token. `used`: another took its place. `ended`: a used one came again, which ended it.
 */
export type RefreshTokenState = 'live' | 'used' | 'expired' | 'ended'

/** The tokens that were issued under a grant and are still known: expired ones are deleted after a day. */
export type IssuedTokens = {
  /** Of those still known. With each of them one delegation token was issued. */
  count: number
  /** The latest first. */
  latest: {
    issuedAt: Date
    expiresAt: Date
    usedAt: Date | undefined
    scopes: string[]
    state: RefreshTokenState
  }[]
}

type Row = {
  count: number
  issuedAt: Date
  expiresAt: Date
  usedAt: Date | null
  scopes: string[]
  state: RefreshTokenState
}

export const issuedTokensStatement = {
  name: 'tokens-of-grant',
  text: `
SELECT count(*) OVER ()::int AS "count", r."issuedAt", r."expiresAt", r."usedAt", r."scopes",
  CASE WHEN r."usedAt" IS NOT NULL THEN 'used' WHEN r."issuedAt" < $3 THEN 'ended'
    WHEN r."expiresAt" <= now() THEN 'expired' ELSE 'live' END AS "state"
FROM "RefreshToken" r WHERE r."grantId" = $2 AND r."brandId" = $1
ORDER BY r."issuedAt" DESC LIMIT ${LISTED}`,
}

/** Lists the refresh tokens of a grant. @param notBefore tokens from before it count no more */
export async function listIssuedTokens(
  brandId: string,
  grantId: string,
  notBefore: Date | null,
): Promise<IssuedTokens> {
  const { rows } = await pool().query<Row>({
    ...issuedTokensStatement,
    values: [brandId, grantId, notBefore],
  })
  return {
    count: rows[0]?.count ?? 0,
    latest: rows.map(({ count: _, usedAt, ...row }) => ({ ...row, usedAt: usedAt ?? undefined })),
  }
}
