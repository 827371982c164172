import { pool } from '#lib/platform/database.ts'

/** How many personal agents a search may mean. */
const MOST = 500

/**
 * The personal agents that words mean: an id, an issuer, or a part of either an issuer or a name.
 *
 * @returns their ids
 */
export async function findPersonalAgentIds(words: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT "id" FROM "PersonalAgent"
    WHERE "id"::text = $1 OR strpos(lower("issuer"), lower($1)) > 0 OR strpos(lower("name"), lower($1)) > 0
    ORDER BY "issuer" LIMIT ${MOST}`,
    [words],
  )
  return rows.map(({ id }) => id)
}
