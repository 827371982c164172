import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { pool } from '#lib/platform/database.ts'

/** Up to how many are counted; one more means: more. */
export const MOST_COUNTED = 10_000

/** What hangs on a Brand at this moment. */
export type BrandUse = {
  liveGrants: number
  openConversations: number
  /** Keys that are published. */
  keys: number
  /** Live grants by the scope that they have. */
  grantsByScope: ReadonlyMap<string, number>
}

const live = `g."brandId" = $1 AND g."revokedAt" IS NULL AND g."expiresAt" > now()`
const upTo = (rows: string) => `(SELECT count(*)::int FROM (${rows} LIMIT ${MOST_COUNTED + 1}) counted)`

export const useStatement = {
  name: 'brand-use',
  text: `
SELECT ${upTo(`SELECT FROM "Grant" g WHERE ${live}`)} AS "liveGrants",
  ${upTo(`SELECT FROM "Conversation" c WHERE c."brandId" = $1 AND c."state" = 'open'`)} AS "openConversations",
  ${upTo(`SELECT FROM "SigningKey" k WHERE k."brandId" = $1 AND k."state" IN ('next', 'active', 'retired')`)} AS "keys"`,
}

export const scopeUseStatement = {
  name: 'scope-use-of-brand',
  text: `
SELECT * FROM (
  SELECT s."id" AS "scope", ${upTo(`SELECT FROM "Grant" g WHERE ${live} AND s."id" = ANY (g."scopes")`)} AS "grants"
  FROM "Scope" s WHERE s."brandId" = $1
) used WHERE "grants" > 0`,
}

/** Counts how many live grants have each scope that the Brand defines, up to {@link MOST_COUNTED} each. */
export async function countGrantsByScope(brandId: string): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ scope: string; grants: number }>({
    ...scopeUseStatement,
    values: [brandId],
  })
  return new Map(rows.map(({ scope, grants }) => [scope, grants]))
}

/**
 * Counts what hangs on a Brand, up to {@link MOST_COUNTED} of a kind.
 *
 * @throws ForbiddenError
 */
export async function countBrandUse(viewer: Viewer, brandId: string): Promise<BrandUse> {
  assertMay(viewer, 'brands.read', brandId)
  const [{ rows }, grantsByScope] = await Promise.all([
    pool().query<Omit<BrandUse, 'grantsByScope'>>({ ...useStatement, values: [brandId] }),
    countGrantsByScope(brandId),
  ])
  const counted = rows[0] ?? { liveGrants: 0, openConversations: 0, keys: 0 }
  return { ...counted, grantsByScope }
}
