import { pool } from '#lib/platform/database.ts'

/** A scope of a grant, and when it was last used; undefined: never, as far as receipts tell. */
export type ScopeUse = { id: string; description: string | undefined; lastUsedAt: Date | undefined }

/** How many of a grant's receipts are looked through. */
const LOOKED_THROUGH = 5_000

export const scopeUseStatement = {
  name: 'scope-use-of-grant',
  text: `
SELECT given."id", s."description", used."at" AS "lastUsedAt"
FROM unnest($3::text[]) WITH ORDINALITY AS given("id", "position")
LEFT JOIN "Scope" s ON s."brandId" = $1 AND s."id" = given."id"
LEFT JOIN (
  SELECT scope."id", max(r."issuedAt") AS "at"
  FROM (
    SELECT "claims", "issuedAt" FROM "Receipt" WHERE "grantId" = $2 AND "brandId" = $1
    ORDER BY "id" DESC LIMIT ${LOOKED_THROUGH}
  ) r CROSS JOIN LATERAL jsonb_array_elements_text(r."claims"->'scopesUsed') AS scope("id")
  GROUP BY scope."id"
) used ON used."id" = given."id"
ORDER BY s."position" NULLS LAST, given."position"`,
}

/** When each scope of a grant was last used, from the latest of its receipts (§5.6). In the Brand's order. */
export async function findScopeUse(
  brandId: string,
  grantId: string,
  scopes: readonly string[],
): Promise<ScopeUse[]> {
  const { rows } = await pool().query<{ id: string; description: string | null; lastUsedAt: Date | null }>({
    ...scopeUseStatement,
    values: [brandId, grantId, scopes],
  })
  return rows.map(({ id, description, lastUsedAt }) => ({
    id,
    description: description ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }))
}
