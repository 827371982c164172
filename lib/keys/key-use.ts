import { pool } from '#lib/platform/database.ts'
import type { SigningKeyState } from './lifecycle.ts'

/** What hangs on a key; each number at most one more than the bound that was asked for. */
export type KeyUse = {
  /** Delegation tokens that it signed and that are valid at this moment. */
  tokens: number
  /** Stored receipts that it signed. */
  receipts: number
}

type SignedKey = { kid: string; state: SigningKeyState; activatedAt: Date | null; retiredAt: Date | null }

/** The longest that a delegation token lives (§5.4). */
const TOKEN_LIFETIME = '3600 seconds'
/** A process signs with the former key for less than a second longer; clocks and waiting statements take the rest. */
const ROOM = '1 minute'

// Every token comes with a refresh token of the same moment. The kid is part of the header, with which a JWS begins.
export const keyUseStatement = {
  name: 'use-of-signing-key',
  text: `
SELECT
  (SELECT count(*)::int FROM (
    SELECT FROM "RefreshToken" t JOIN "Grant" g ON g."id" = t."grantId" AND g."brandId" = t."brandId"
    WHERE t."brandId" = $1 AND t."issuedAt" > greatest(now() - interval '${TOKEN_LIFETIME}', $2::timestamptz)
      AND t."issuedAt" <= coalesce($3::timestamptz, 'infinity')
      AND g."revokedAt" IS NULL AND g."expiresAt" > now() AND (g."notBefore" IS NULL OR g."notBefore" <= t."issuedAt")
    LIMIT $5 + 1) counted) AS "tokens",
  (SELECT count(*)::int FROM (
    SELECT FROM "Receipt" r
    WHERE r."brandId" = $1 AND r."issuedAt" >= $2::timestamptz - interval '${ROOM}'
      AND r."issuedAt" <= coalesce($3::timestamptz + interval '${ROOM}', 'infinity') AND starts_with(r."jws", $4)
    LIMIT $5 + 1) counted) AS "receipts"`,
}

/** How the JWS of a receipt begins that was signed with a key: its header, as `signReceipt` writes it. */
export function receiptPrefix(kid: string): string {
  const header = JSON.stringify({ alg: 'ES256', kid, typ: 'pact-receipt+jws' })
  return `${Buffer.from(header).toString('base64url')}.`
}

/**
 * Counts what a key still verifies, up to a bound. One that is not published verifies nothing.
 *
 * @param most up to how many are counted
 */
export async function countKeyUse(brandId: string, key: SignedKey, most: number): Promise<KeyUse> {
  const published = key.state === 'active' || key.state === 'retired'
  if (!published || key.activatedAt === null) return { tokens: 0, receipts: 0 }
  const { rows } = await pool().query<KeyUse>({
    ...keyUseStatement,
    values: [brandId, key.activatedAt, key.retiredAt, receiptPrefix(key.kid), most],
  })
  return rows[0] ?? { tokens: 0, receipts: 0 }
}
