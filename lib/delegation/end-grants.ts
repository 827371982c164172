import { type ConditionList, newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { insertGrantChange } from './grant-changes.ts'

/** Grants that one statement ends at most: it never holds locks for long. */
const BATCH = 250

/** A grant that was ended just now. */
export type EndedGrant = { brandId: string; id: string }

/**
 * In SQL: ends the next live grants `g` that match conditions, in the order of their ids, with their history.
 *
 * @param after the id after which to go on: without it every batch would walk once more over what the others ended
 * @param actor the console user who does it
 */
export function buildEndStatement(
  { add, value, text }: ConditionList,
  { after, actor }: { after: string | undefined; actor: string },
): string {
  add('g."revokedAt" IS NULL AND g."expiresAt" > now()')
  if (after !== undefined) add(`g."id" > ${value(after)}`)
  return `WITH found AS (
    SELECT g."id", g."brandId", g."scopes" FROM "Grant" g WHERE ${text()}
    ORDER BY g."id" LIMIT ${BATCH} FOR UPDATE
  ), ended AS (
    UPDATE "Grant" g SET "revokedAt" = now(), "revokedBy" = 'console' FROM found WHERE g."id" = found."id"
  ), history AS (
    ${insertGrantChange} SELECT "brandId", "id", 'revoked', 'console', "scopes", '{}', ${value(actor)}::text
    FROM found
  )
  SELECT "brandId", "id" FROM found ORDER BY "id"`
}

/**
 * Ends all live grants of a Brand, in small batches that are kept one by one.
 *
 * @returns how many
 */
export async function endGrantsOfBrand(brandId: string, actor: string): Promise<number> {
  let count = 0
  let after: string | undefined
  for (;;) {
    const conditions = newConditions()
    conditions.add(`g."brandId" = ${conditions.value(brandId)}`)
    const text = buildEndStatement(conditions, { after, actor })
    const { rows } = await pool().query<EndedGrant>(text, conditions.values)
    count += rows.length
    after = rows.at(-1)?.id
    if (after === undefined) return count
  }
}
