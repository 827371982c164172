import { randomBytes } from 'node:crypto'
import { pool } from '#lib/platform/database.ts'
import type { Account, Assertion } from './assertion.ts'
import { hashSecret } from './opaque-codes.ts'

/** How long a User stays logged in, in seconds. */
export const USER_SESSION_LIFETIME = 900

/**
 * What a session is good for: `user` for one browser and one Brand, anything else for one page. It is part of what is
 * stored as the hash, so that a session is never found for another purpose.
 */
export type SessionPurpose = 'user' | `consent ${string}`

type NewSession = { brandId: string; purpose: SessionPurpose; lifetime: number }

type SessionRow = { brandUserId: string; name: string | null; email: string | null }

export const startSessionStatement = {
  name: 'start-user-session',
  text: `
INSERT INTO "UserSession" ("tokenHash", "brandId", "brandUserId", "name", "email", "expiresAt")
VALUES ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 second')`,
}

// The assertion is used up by the very statement that opens what follows.
export const redeemAssertionStatement = {
  name: 'redeem-login-assertion',
  text: `
WITH used AS (
  INSERT INTO "UsedAssertion" ("brandId", "jti", "expiresAt") VALUES ($2, $7, to_timestamp($8))
  ON CONFLICT ("brandId", "jti") DO NOTHING RETURNING "jti"
)
INSERT INTO "UserSession" ("tokenHash", "brandId", "brandUserId", "name", "email", "expiresAt")
SELECT $1, $2, $3, $4, $5, now() + $6::float8 * interval '1 second' FROM used`,
}

export const findSessionStatement = {
  name: 'find-user-session',
  text: `
SELECT "brandUserId", "name", "email" FROM "UserSession"
WHERE "tokenHash" = $1 AND "brandId" = $2 AND "expiresAt" > now()`,
}

export const endSessionStatement = {
  name: 'end-user-session',
  text: `DELETE FROM "UserSession" WHERE "tokenHash" = $1 AND "brandId" = $2`,
}

function hashFor(purpose: SessionPurpose, secret: string): Buffer {
  return hashSecret(`${purpose} ${secret}`)
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function toValues(secret: string, { brandId, purpose, lifetime }: NewSession, account: Account) {
  const { brandUserId, name = null, email = null } = account
  return [hashFor(purpose, secret), brandId, brandUserId, name, email, lifetime]
}

/**
 * Begins a session of a User who has logged in.
 *
 * @param session.lifetime in seconds
 * @returns its secret, of which the hash is stored
 */
export async function startSession(session: NewSession, account: Account): Promise<string> {
  const secret = newSecret()
  await pool().query({ ...startSessionStatement, values: toValues(secret, session, account) })
  return secret
}

/**
 * Uses a verified login assertion up and begins a session with it, in one statement: of two at the same moment one counts.
 *
 * @returns its secret; undefined when the assertion was used before
 */
export async function redeemAssertion(
  session: NewSession,
  { account, jti, expiresAt }: Assertion,
): Promise<string | undefined> {
  const secret = newSecret()
  const { rowCount } = await pool().query({
    ...redeemAssertionStatement,
    values: [...toValues(secret, session, account), jti, expiresAt],
  })
  return rowCount === 1 ? secret : undefined
}

/** The User whose session this is at this Brand; undefined when there is none for this purpose, or its time is over. */
export async function findSession(
  brandId: string,
  purpose: SessionPurpose,
  secret: string,
): Promise<Account | undefined> {
  const { rows } = await pool().query<SessionRow>({
    ...findSessionStatement,
    values: [hashFor(purpose, secret), brandId],
  })
  const [row] = rows
  return row && { brandUserId: row.brandUserId, name: row.name ?? undefined, email: row.email ?? undefined }
}

/** Ends a session, if there is one. */
export async function endSession(brandId: string, purpose: SessionPurpose, secret: string): Promise<void> {
  await pool().query({ ...endSessionStatement, values: [hashFor(purpose, secret), brandId] })
}
