import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { pool } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { insertGrantChange } from './grant-changes.ts'
import { hashSecret, newRefreshToken } from './opaque-codes.ts'
import { scopeIds } from './scopes.ts'
import { completeTokenSet, type Issued, issueTime, type TokenSet } from './token-set.ts'

/** Why a refresh token gets no new one (RFC 6749 §5.2). */
export type RefreshRefusal = 'invalid_grant' | 'invalid_scope'

/** In SQL: the grant of the refresh token `$1`. Named in a join beside it, a grant is found by its key whatever the plan. */
export const grantOfToken = `(SELECT "grantId" FROM "RefreshToken" WHERE "tokenHash" = $1)`

/**
 * One rotation, in one statement: the presented token ends and the next is stored, or neither. Token and grant are locked,
 * so that of two that present the same token at the same moment one finds it used. A used one that comes again, while its
 * tokens still count, ends them all (RFC 9700 §4.14.2); one whose tokens have ended can't end those of a later login.
 *
 * `$7`: the scopes that were asked for; null means all. The next refresh token keeps those of this one (RFC 6749 §6).
 */
export const refreshStatement = {
  name: 'rotate-refresh-token',
  text: `
WITH presented AS (
  SELECT r."tokenHash", r."usedAt", r."scopes" AS "ownScopes", g."id", g."brandUserId", g."expiresAt",
    g."scopes" AS "grantScopes", g."notBefore",
    g."revokedAt" IS NULL AND g."expiresAt" > now() AND r."expiresAt" > now()
      AND (g."notBefore" IS NULL OR g."notBefore" <= r."issuedAt") AS "counts",
    array(SELECT scope FROM unnest($5::text[]) AS scope
      WHERE scope = ANY (g."scopes") AND scope = ANY (r."scopes")) AS "allowed"
  FROM "RefreshToken" r JOIN "Grant" g ON g."id" = r."grantId" AND g."id" = ${grantOfToken}
  WHERE r."tokenHash" = $1 AND ${rowHas('r', { brandId: '$2' })}
    AND ${rowHas('g', { brandId: '$2', personalAgentId: '$3', subject: '$4' })}
  FOR UPDATE OF r, g
), verdict AS (
  SELECT presented.*, ${issueTime} AS "issuedAt", CASE
    WHEN NOT "counts" THEN 'invalid_grant'
    WHEN "usedAt" IS NOT NULL THEN 'reused'
    WHEN "allowed" = '{}' THEN 'invalid_grant'
    WHEN $7::text[] IS NOT NULL AND NOT $7::text[] <@ "allowed" THEN 'invalid_scope'
    ELSE 'issue' END AS "outcome"
  FROM presented
), used AS (
  UPDATE "RefreshToken" r SET "usedAt" = now() FROM verdict v
  WHERE r."tokenHash" = v."tokenHash" AND v."outcome" = 'issue'
), issued AS (
  INSERT INTO "RefreshToken" ("tokenHash", "brandId", "grantId", "scopes", "issuedAt", "expiresAt")
  SELECT $6, $2, "id", "ownScopes", "issuedAt", "expiresAt" FROM verdict WHERE "outcome" = 'issue'
), ended AS (
  UPDATE "Grant" g SET "notBefore" = v."issuedAt" + interval '1 second' FROM verdict v
  WHERE g."id" = v."id" AND v."outcome" = 'reused'
), recorded AS (
  ${insertGrantChange}
  SELECT $2, "id", 'reused', 'personal_agent', "grantScopes", "grantScopes", NULL FROM verdict WHERE "outcome" = 'reused'
)
SELECT "outcome", "id" AS "grantId", "brandUserId",
  array(SELECT scope FROM unnest("allowed") AS scope WHERE $7::text[] IS NULL OR scope = ANY ($7::text[])) AS "scopes",
  extract(epoch FROM "issuedAt")::float8 AS "issuedAt", extract(epoch FROM "expiresAt")::float8 AS "endsAt"
FROM verdict`,
}

type RefreshRow =
  | (Issued & { outcome: 'issue' })
  | { outcome: 'reused'; grantId: string }
  | { outcome: RefreshRefusal }

/**
 * Refreshes a delegation token (RFC 6749 §6): the refresh token is used up and replaced.
 *
 * @param options.scopes fewer scopes than the token has, for the new delegation token alone; left out: all
 * @returns the tokens; `invalid_scope` when a scope is asked for that the token, the grant or the Brand does not have, and
 *   the refresh token stays good; otherwise `invalid_grant`, also for anyone but the (personal agent, `sub`) it belongs to
 */
export async function refreshTokens(options: {
  brand: Brand
  caller: Caller
  refreshToken: string
  scopes?: readonly string[]
}): Promise<{ ok: true; tokens: TokenSet } | { ok: false; error: RefreshRefusal }> {
  const { brand, caller, refreshToken, scopes = null } = options
  // A Brand without a usable key must not use up refresh tokens.
  const signer = await getSigner(brand.id)
  const nextToken = newRefreshToken()
  const { rows } = await pool().query<RefreshRow>({
    ...refreshStatement,
    values: [
      hashSecret(refreshToken),
      brand.id,
      caller.personalAgent.id,
      caller.subject,
      scopeIds(brand.delegation),
      hashSecret(nextToken),
      scopes,
    ],
  })
  const row = rows[0] ?? { outcome: 'invalid_grant' }
  if (row.outcome === 'issue') {
    return { ok: true, tokens: await completeTokenSet(signer, brand.id, caller, nextToken, row) }
  }
  if (row.outcome !== 'reused') return { ok: false, error: row.outcome }
  log().warn(
    { brandId: brand.id, grantId: row.grantId },
    'a used refresh token came again: its grant has no tokens left',
  )
  return { ok: false, error: 'invalid_grant' }
}
