import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { hashSecret, newRefreshToken } from './opaque-codes.ts'
import { early, pollPending, SLOW_DOWN } from './poll-pending.ts'
import { scopeIds } from './scopes.ts'
import { completeTokenSet, type Issued, issueTime, type TokenSet } from './token-set.ts'

/** Why a poll gets no token (RFC 8628 §3.5). */
export type PollRefusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  /** No such code for this caller, or used, or what it was approved for has been revoked since. */
  | 'invalid_grant'

/**
 * In SQL: whether a refresh token of grant `g` came twice after the code's approval. That ended the grant's tokens, and the
 * code would bring them back.
 */
const endedSince = `EXISTS (SELECT FROM "GrantChange" c WHERE c."brandId" = $2 AND c."grantId" = g."id"
      AND c."kind" = 'reused' AND c."at" >= code."decidedAt")`

/**
 * One poll, decided in one statement on the locked row, so that of two at the same moment one gets the token. The locks
 * on code and grant read their latest state, and the refresh token is stored only with the code's end.
 *
 * A grant that is approved while the statement waits for the code is not in its sight, and neither is the history of one
 * whose tokens end while it waits for the grant: such a poll is told to come again.
 */
export const pollStatement = {
  name: 'poll-device-code',
  text: `
WITH code AS (
  SELECT "id", "state", "grantId", "grantedScopes", "decidedAt", "expiresAt" <= now() AS "expired", ${early} AS "early"
  FROM "DeviceAuthorization"
  WHERE "deviceCodeHash" = $1 AND ${rowHas('', { brandId: '$2', personalAgentId: '$3', subject: '$4' })}
  FOR UPDATE
), allowed AS (
  SELECT g."id", g."brandUserId", g."expiresAt", g."notBefore",
    CASE WHEN g."revokedAt" IS NULL AND g."expiresAt" > now() AND NOT ${endedSince} THEN
      array(SELECT scope FROM unnest($5::text[]) AS scope
        WHERE scope = ANY (g."scopes") AND scope = ANY (code."grantedScopes"))
    ELSE '{}' END AS "scopes"
  FROM code JOIN "Grant" g ON g."id" = code."grantId"
  WHERE code."state" = 'approved' AND NOT code."expired"
    AND g."notBefore" IS NOT DISTINCT FROM (SELECT seen."notBefore" FROM "Grant" seen WHERE seen."id" = code."grantId")
  FOR SHARE OF g
), verdict AS (
  SELECT code."id" AS "codeId", allowed.*, ${issueTime} AS "issuedAt", CASE
    WHEN code."state" = 'redeemed' THEN 'invalid_grant'
    WHEN code."expired" THEN 'expired_token'
    WHEN code."state" = 'denied' THEN 'access_denied'
    WHEN code."state" = 'approved' AND allowed."id" IS NOT NULL THEN
      CASE WHEN allowed."scopes" = '{}' THEN 'invalid_grant' ELSE 'issue' END
    WHEN code."early" THEN 'slow_down'
    ELSE 'authorization_pending' END AS "outcome"
  FROM code LEFT JOIN allowed ON true
), polled AS (
  UPDATE "DeviceAuthorization" d SET "polledAt" = now(),
    "state" = CASE WHEN v."outcome" = 'issue' THEN 'redeemed' ELSE d."state" END,
    "interval" = d."interval" + CASE WHEN v."outcome" = 'slow_down' THEN ${SLOW_DOWN} ELSE 0 END
  FROM verdict v
  WHERE d."id" = v."codeId" AND v."outcome" IN ('issue', 'slow_down', 'authorization_pending')
), issued AS (
  INSERT INTO "RefreshToken" ("tokenHash", "brandId", "grantId", "scopes", "issuedAt", "expiresAt")
  SELECT $6, $2, "id", "scopes", "issuedAt", "expiresAt" FROM verdict WHERE "outcome" = 'issue'
)
SELECT "outcome", "id" AS "grantId", "brandUserId", "scopes", extract(epoch FROM "issuedAt")::float8 AS "issuedAt",
  extract(epoch FROM "expiresAt")::float8 AS "endsAt"
FROM verdict`,
}

type PollRow = (Issued & { outcome: 'issue' }) | { outcome: PollRefusal }

/**
 * Redeems a device code (RFC 8628 §3.4): one poll. What can fail comes first, the statement that uses the code up last.
 * The token carries what was approved, as far as grant and Brand still have it.
 *
 * @returns the tokens, once per code, or why there are none; for anyone but the (personal agent, `sub`) that asked
 *   `invalid_grant`, and nothing changes
 */
export async function redeemDeviceCode(options: {
  brand: Brand
  caller: Caller
  deviceCode: string
}): Promise<{ ok: true; tokens: TokenSet } | { ok: false; error: PollRefusal }> {
  const { brand, caller, deviceCode } = options
  const owner = { brandId: brand.id, personalAgentId: caller.personalAgent.id, subject: caller.subject }
  const deviceCodeHash = hashSecret(deviceCode)
  // What nearly every poll finds; whatever else there is, the costlier statement answers.
  const pending = await pollPending({ ...owner, deviceCodeHash })
  if (pending) return { ok: false, error: pending.early ? 'slow_down' : 'authorization_pending' }
  // A Brand without a usable key must not use up codes.
  const signer = await getSigner(brand.id)
  const refreshToken = newRefreshToken()
  const { rows } = await pool().query<PollRow>({
    ...pollStatement,
    values: [
      deviceCodeHash,
      owner.brandId,
      owner.personalAgentId,
      owner.subject,
      scopeIds(brand.delegation),
      hashSecret(refreshToken),
    ],
  })
  const row = rows[0] ?? { outcome: 'invalid_grant' }
  if (row.outcome !== 'issue') return { ok: false, error: row.outcome }
  return { ok: true, tokens: await completeTokenSet(signer, brand.id, caller, refreshToken, row) }
}
