import { pool } from '#lib/platform/database.ts'

/** How many personal agents a search may mean. */
const MOST = 500

/** Words mean more personal agents than are looked at: what is done to all of them would miss some. */
export class SearchCutError extends Error {
  override name = 'SearchCutError'
}

/**
 * The personal agents that words mean: an id, an issuer, or a part of either an issuer or a name.
 *
 * @returns their ids; `cut` when there are more
 */
export async function searchPersonalAgents(words: string): Promise<{ ids: string[]; cut: boolean }> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT "id" FROM "PersonalAgent"
    WHERE "id"::text = $1 OR strpos(lower("issuer"), lower($1)) > 0 OR strpos(lower("name"), lower($1)) > 0
    ORDER BY "issuer" LIMIT ${MOST + 1}`,
    [words],
  )
  return { ids: rows.slice(0, MOST).map(({ id }) => id), cut: rows.length > MOST }
}

/** The ids of {@link searchPersonalAgents}, where a list may leave out what is too much. */
export async function findPersonalAgentIds(words: string): Promise<string[]> {
  return (await searchPersonalAgents(words)).ids
}
