import { pool } from '#lib/platform/database.ts'

/** Who ended a grant or took a scope from it; `brand`: it does not define the scope any more. */
export type Revoker = 'user' | 'personal_agent' | 'console' | 'brand'

/**
 * What happened to a grant. `reused`: a used refresh token came again, which ended its tokens. `expired`: its time was over,
 * and a later grant took its place.
 */
export type GrantChangeKind = 'approved' | 'withdrawn' | 'revoked' | 'reused' | 'expired'

/** One entry of a grant's history. */
export type GrantChange = {
  at: Date
  kind: GrantChangeKind
  by: Revoker | 'expiry'
  /** Who it was, where that is more than `by` says: a console user. */
  actor: string | undefined
  scopesBefore: string[]
  scopesAfter: string[]
}

type ChangeRow = Omit<GrantChange, 'actor'> & { actor: string | null }

/**
 * In SQL: the beginning of what writes a grant's history. It belongs into the statement that changes the grant, or at least
 * into its transaction: no change without its entry, and none twice.
 */
export const insertGrantChange = `INSERT INTO "GrantChange"
  ("brandId", "grantId", "kind", "by", "scopesBefore", "scopesAfter", "actor")`

/**
 * In SQL: the end of a statement whose part `found` has locked grants, each with its `before` and `after`: gives them the
 * scopes that are left, ends those that have none, since a grant for nothing would look like a permission, and writes their
 * history. One that loses nothing stays as it is.
 *
 * @param by a {@link Revoker}, in SQL
 * @param actor in SQL
 */
export const takeScopes = (by: string, actor = 'NULL') => `
changed AS (
  UPDATE "Grant" g SET "scopes" = found."after",
    "revokedAt" = CASE WHEN found."after" = '{}' THEN now() END,
    "revokedBy" = CASE WHEN found."after" = '{}' THEN ${by} END
  FROM found WHERE g."id" = found."id" AND found."before" <> found."after"
)
${insertGrantChange} SELECT "brandId", "id", 'withdrawn', ${by}, "before", "after", ${actor} FROM found
WHERE "before" <> "after"`

export const listChangesStatement = {
  name: 'list-changes-of-grant',
  text: `
SELECT "at", "kind", "by", "actor", "scopesBefore", "scopesAfter" FROM "GrantChange"
WHERE "brandId" = $1 AND "grantId" = $2 ORDER BY "id" DESC LIMIT $3`,
}

export const findRecentWithdrawalStatement = {
  name: 'find-recent-withdrawal',
  text: `
SELECT p."issuer", p."name", array(SELECT unnest(c."scopesBefore") EXCEPT SELECT unnest(c."scopesAfter")) AS "scopes"
FROM "GrantChange" c JOIN "Grant" g ON g."id" = c."grantId" AND g."brandId" = c."brandId"
  JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
WHERE c."brandId" = $1 AND c."grantId" = $2 AND g."brandUserId" = $3 AND c."by" = 'user'
  AND c."kind" IN ('withdrawn', 'revoked') AND c."at" > now() - interval '1 minute'
ORDER BY c."id" DESC LIMIT 1`,
}

/** What a User took back, and from whom. */
export type Withdrawal = { personalAgent: { name: string; issuer: string }; scopes: string[] }

/** A grant's history, the latest first. @param limit entries at most */
export async function listGrantChanges(
  brandId: string,
  grantId: string,
  limit = 100,
): Promise<GrantChange[]> {
  const { rows } = await pool().query<ChangeRow>({
    ...listChangesStatement,
    values: [brandId, grantId, limit],
  })
  return rows.map(({ actor, ...change }) => ({ ...change, actor: actor ?? undefined }))
}

/** What this Brand user took from this grant of theirs within the last minute; the last of it. */
export async function findRecentWithdrawal(options: {
  brandId: string
  grantId: string
  brandUserId: string
}): Promise<Withdrawal | undefined> {
  const { brandId, grantId, brandUserId } = options
  const { rows } = await pool().query<{ issuer: string; name: string; scopes: string[] }>({
    ...findRecentWithdrawalStatement,
    values: [brandId, grantId, brandUserId],
  })
  const [row] = rows
  return row && { personalAgent: { name: row.name, issuer: row.issuer }, scopes: row.scopes }
}
