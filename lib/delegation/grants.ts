import { pool } from '#lib/platform/database.ts'
import { insertGrantChange, type Revoker, takeScopes } from './grant-changes.ts'

/** What a Brand user allows one personal agent, for the user's own view and the console's. */
export type UserGrant = {
  id: string
  personalAgent: { id: string; issuer: string; name: string }
  /** The personal agent's `sub`. */
  subject: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | undefined
  /** When a used refresh token last came again, which ended every token of the grant. */
  notBefore: Date | undefined
}

/** A grant that counts at this moment. */
export type LiveGrant = { id: string; scopes: string[]; expiresAt: Date }

/** For whom a grant is (§5.3): one (personal agent, `sub`), one Brand, one Brand user. */
export type GrantParties = { brandId: string; personalAgentId: string; subject: string; brandUserId: string }

type UserGrantRow = Omit<UserGrant, 'personalAgent' | 'lastUsedAt' | 'notBefore'> & {
  personalAgentId: string
  issuer: string
  name: string
  lastUsedAt: Date | null
  notBefore: Date | null
}

export const listStatement = {
  name: 'list-grants-of-user',
  text: `
SELECT g."id", g."personalAgentId", p."issuer", p."name", g."subject", g."scopes", g."createdAt", g."expiresAt",
  g."lastUsedAt", g."notBefore"
FROM "Grant" g JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
WHERE g."brandId" = $1 AND g."brandUserId" = $2 AND g."revokedAt" IS NULL AND g."expiresAt" > now()
ORDER BY g."createdAt" DESC, g."id"`,
}

export const findGrantStatement = {
  name: 'find-grant',
  text: `
SELECT "id", "scopes", "expiresAt" FROM "Grant"
WHERE "brandId" = $1 AND "personalAgentId" = $2 AND "subject" = $3 AND "brandUserId" = $4
  AND "revokedAt" IS NULL AND "expiresAt" > now()`,
}

export const revokeStatement = {
  name: 'revoke-grant',
  text: `
WITH found AS (
  SELECT "id", "scopes" FROM "Grant"
  WHERE "id" = $2 AND "brandId" = $1 AND "revokedAt" IS NULL AND ($4::text IS NULL OR "brandUserId" = $4)
  FOR UPDATE
), ended AS (
  UPDATE "Grant" g SET "revokedAt" = now(), "revokedBy" = $3 FROM found WHERE g."id" = found."id"
)
${insertGrantChange} SELECT $1, "id", 'revoked', $3, "scopes", '{}', $5::text FROM found`,
}

export const withdrawStatement = {
  name: 'withdraw-scope',
  text: `
WITH found AS (
  SELECT "id", "brandId", "scopes" AS "before", array_remove("scopes", $3) AS "after" FROM "Grant"
  WHERE "id" = $2 AND "brandId" = $1 AND "revokedAt" IS NULL AND $3 = ANY("scopes")
    AND ($5::text IS NULL OR "brandUserId" = $5)
  FOR UPDATE
), ${takeScopes('$4', '$6::text')}`,
}

/** The grants of a Brand user that count at this moment, the latest first. */
export async function listGrantsOfUser(brandId: string, brandUserId: string): Promise<UserGrant[]> {
  const { rows } = await pool().query<UserGrantRow>({ ...listStatement, values: [brandId, brandUserId] })
  return rows.map(({ personalAgentId, issuer, name, lastUsedAt, notBefore, ...grant }) => ({
    ...grant,
    personalAgent: { id: personalAgentId, issuer, name },
    lastUsedAt: lastUsedAt ?? undefined,
    notBefore: notBefore ?? undefined,
  }))
}

/** The one grant of these parties that counts at this moment. */
export async function findGrant(parties: GrantParties): Promise<LiveGrant | undefined> {
  const { brandId, personalAgentId, subject, brandUserId } = parties
  const { rows } = await pool().query<LiveGrant>({
    ...findGrantStatement,
    values: [brandId, personalAgentId, subject, brandUserId],
  })
  return rows[0]
}

export const findDescriptionsStatement = {
  name: 'find-agreed-descriptions',
  text: `
SELECT DISTINCT ON (allowed."id") allowed."id", box."it"->>'description' AS "description"
FROM "ConsentDecision" d CROSS JOIN unnest(d."scopes") AS allowed ("id")
  CROSS JOIN jsonb_array_elements(d."shown"->'scopes') AS box ("it")
WHERE d."brandId" = $1 AND d."grantId" = $2 AND d."approved" AND box."it"->>'id' = allowed."id"
ORDER BY allowed."id", d."decidedAt" DESC`,
}

/**
 * The grant of these parties when it has every one of `scopes`, and the User agreed to each as the Brand describes it now:
 * consent may then be skipped (§5.3).
 */
export async function findCoveringGrant(
  parties: GrantParties & { scopes: readonly { id: string; description: string }[] },
): Promise<LiveGrant | undefined> {
  const grant = await findGrant(parties)
  if (!grant || !parties.scopes.every(({ id }) => grant.scopes.includes(id))) return undefined
  const { rows } = await pool().query<{ id: string; description: string }>({
    ...findDescriptionsStatement,
    values: [parties.brandId, grant.id],
  })
  const agreed = new Map(rows.map(({ id, description }) => [id, description]))
  return parties.scopes.every(({ id, description }) => agreed.get(id) === description) ? grant : undefined
}

/** Who takes back, and from which grant. */
type TakingBack = {
  brandId: string
  grantId: string
  /** When given, only from a grant of this Brand user. */
  brandUserId?: string
  by: Revoker
  /** Who it was, where that is more than `by` says. */
  actor?: string
}

/**
 * Ends a grant, with every token of it and every code approved but not yet collected, at once and on every instance. It
 * enters the grant's history.
 *
 * @returns false when there is no such grant, or it had ended before
 */
export async function revokeGrant(options: TakingBack): Promise<boolean> {
  const { brandId, grantId, brandUserId = null, by, actor = null } = options
  const { rowCount } = await pool().query({
    ...revokeStatement,
    values: [brandId, grantId, by, brandUserId, actor],
  })
  return rowCount === 1
}

/**
 * Takes one scope from a grant, at once and on every instance; tokens that carry it lose it. With its last scope the
 * grant ends. It enters the grant's history.
 *
 * @returns false when there is no such grant, or it does not have the scope
 */
export async function withdrawScope(options: TakingBack & { scope: string }): Promise<boolean> {
  const { brandId, grantId, scope, brandUserId = null, by, actor = null } = options
  const { rowCount } = await pool().query({
    ...withdrawStatement,
    values: [brandId, grantId, scope, by, brandUserId, actor],
  })
  return rowCount === 1
}
