import { pool } from '#lib/platform/database.ts'

/** Conversations that one statement closes at most: it never holds locks for long. */
const BATCH = 250
const FIRST = '00000000-0000-0000-0000-000000000000'

// Turns that settle lock their conversation and then their grant: a statement that locks conversations alone waits in no circle.
export const closeOfBrandStatement = {
  name: 'close-conversations-of-brand',
  text: `
WITH found AS (
  SELECT "id" FROM "Conversation" WHERE "brandId" = $1 AND "state" = 'open' AND "id" > $2
  ORDER BY "id" LIMIT ${BATCH} FOR UPDATE
), closed AS (
  UPDATE "Conversation" c SET "state" = 'closed', "closedBy" = 'console', "closedAt" = now()
  FROM found WHERE c."id" = found."id"
)
SELECT "id" FROM found ORDER BY "id"`,
}

/**
 * Closes all open conversations of a Brand (§4.2), in small batches that are kept one by one.
 *
 * @returns how many
 */
export async function closeConversationsOfBrand(brandId: string): Promise<number> {
  let count = 0
  let after: string | undefined = FIRST
  while (after !== undefined) {
    const { rows }: { rows: { id: string }[] } = await pool().query({
      ...closeOfBrandStatement,
      values: [brandId, after],
    })
    count += rows.length
    after = rows.at(-1)?.id
  }
  return count
}
