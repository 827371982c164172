import { randomBytes } from 'node:crypto'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Account, Assertion } from './assertion.ts'
import { hashSecret } from './opaque-codes.ts'

/** How long a User stays logged in, in seconds, from the Brand's login on. */
export const USER_SESSION_LIFETIME = 900

/**
 * What a session is good for: `user` for one browser and one Brand, anything else for one page. It is part of what is
 * stored as the hash, so that a session is never found for another purpose.
 */
export type SessionPurpose = 'user' | 'grants' | 'code' | `consent ${string}`

type NewSession = { brandId: string; purpose: SessionPurpose; lifetime: number }

/** A User, and when the Brand's login brought them. */
export type Login = Account & { loggedInAt: Date }

/** A session of a browser: its secret, and the whole seconds that are left of it. */
export type BrowserSession = { secret: string; secondsLeft: number }

type SessionRow = { brandUserId: string; name: string | null; email: string | null; loggedInAt: Date }

// Whatever follows from a login ends with it: a session that begins another does not live on in it.
export const startSessionStatement = {
  name: 'start-user-session',
  text: `
INSERT INTO "UserSession" ("tokenHash", "brandId", "brandUserId", "name", "email", "loggedInAt", "expiresAt")
VALUES ($1, $2, $3, $4, $5, $7, least(now() + $6::float8 * interval '1 second',
  $7::timestamptz + ${USER_SESSION_LIFETIME} * interval '1 second'))
RETURNING ceil(extract(epoch FROM "expiresAt" - now()))::int AS "secondsLeft"`,
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
SELECT $1, $2, $3, $4, $5, now() + $6::float8 * interval '1 second' FROM used RETURNING "loggedInAt"`,
}

export const findSessionStatement = {
  name: 'find-user-session',
  text: `
SELECT "brandUserId", "name", "email", "loggedInAt" FROM "UserSession"
WHERE "tokenHash" = $1 AND ${rowHas('', { brandId: '$2' })} AND "expiresAt" > now()`,
}

export const endSessionsStatement = {
  name: 'end-user-sessions',
  text: `DELETE FROM "UserSession" WHERE "brandId" = $1 AND "brandUserId" = $2`,
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
 * Begins another session of a User who has logged in. It ends {@link USER_SESSION_LIFETIME} after the login at the latest.
 *
 * @param session.lifetime in seconds
 * @returns its secret, of which the hash is stored
 */
export async function startSession(session: NewSession, login: Login): Promise<BrowserSession> {
  const secret = newSecret()
  const { rows } = await pool().query<{ secondsLeft: number }>({
    ...startSessionStatement,
    values: [...toValues(secret, session, login), login.loggedInAt],
  })
  return { secret, secondsLeft: Math.max(0, rows[0]?.secondsLeft ?? 0) }
}

/**
 * Uses a verified login assertion up and begins a session with it, in one statement: of two at the same moment one counts.
 *
 * @returns its secret; undefined when the assertion was used before
 */
export async function redeemAssertion(
  session: NewSession,
  { account, jti, expiresAt }: Pick<Assertion, 'account' | 'jti' | 'expiresAt'>,
): Promise<{ secret: string; login: Login } | undefined> {
  const secret = newSecret()
  const { rows } = await pool().query<{ loggedInAt: Date }>({
    ...redeemAssertionStatement,
    values: [...toValues(secret, session, account), jti, expiresAt],
  })
  return rows[0] && { secret, login: { ...account, loggedInAt: rows[0].loggedInAt } }
}

/** The User whose session this is at this Brand; undefined when there is none for this purpose, or its time is over. */
export async function findSession(
  brandId: string,
  purpose: SessionPurpose,
  secret: string,
): Promise<Login | undefined> {
  const { rows } = await pool().query<SessionRow>({
    ...findSessionStatement,
    values: [hashFor(purpose, secret), brandId],
  })
  const [row] = rows
  return row && { ...row, name: row.name ?? undefined, email: row.email ?? undefined }
}

/**
 * Gives a browser a session, where it has none: one that lives stays, whoever's it is. The caller has made sure that its User
 * saw on a page as whom they are logged in.
 *
 * @param current the browser's session, if it sent one
 * @returns undefined when the browser's own stays
 */
export async function keepOrStartSession(
  brandId: string,
  login: Login,
  current: string | undefined,
): Promise<BrowserSession | undefined> {
  if (current !== undefined && (await findSession(brandId, 'user', current))) return undefined
  return startSession({ brandId, purpose: 'user', lifetime: USER_SESSION_LIFETIME }, login)
}

/** Ends every session and every page of a User at a Brand, in whatever browser. */
export async function endSessions(brandId: string, brandUserId: string): Promise<void> {
  await pool().query({ ...endSessionsStatement, values: [brandId, brandUserId] })
}
