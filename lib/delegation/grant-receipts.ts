import { pool } from '#lib/platform/database.ts'
import { readStoredReceipt } from './receipts.ts'

/** How many receipts are listed, and up to how many are counted. */
const LISTED = 10
export const MOST_COUNTED = 1000

/** What was done under a grant, the latest first. */
export type GrantReceipts = {
  /** At most {@link MOST_COUNTED}. */
  count: number
  latest: { id: string; issuedAt: Date; scopesUsed: readonly string[]; tools: string[] }[]
}

export const countReceiptsStatement = {
  name: 'count-receipts-of-grant',
  text: `
SELECT count(*)::int AS "count"
FROM (SELECT 1 FROM "Receipt" WHERE "grantId" = $1 AND "brandId" = $2 LIMIT ${MOST_COUNTED}) counted`,
}

export const latestReceiptsStatement = {
  name: 'latest-receipts-of-grant',
  text: `
SELECT "id", "jws", "issuedAt" FROM "Receipt" WHERE "grantId" = $1 AND "brandId" = $2 ORDER BY "id" DESC LIMIT ${LISTED}`,
}

/** Lists the receipts (§5.6) of a grant. */
export async function listReceiptsOfGrant(brandId: string, grantId: string): Promise<GrantReceipts> {
  const values = [grantId, brandId]
  const [counted, latest] = await Promise.all([
    pool().query<{ count: number }>({ ...countReceiptsStatement, values }),
    pool().query<{ id: string; jws: string; issuedAt: Date }>({ ...latestReceiptsStatement, values }),
  ])
  return {
    count: counted.rows[0]?.count ?? 0,
    latest: latest.rows.map(({ id, jws, issuedAt }) => {
      const { scopesUsed, actions } = readStoredReceipt(jws).claims
      return { id, issuedAt, scopesUsed, tools: actions.map(({ tool }) => tool) }
    }),
  }
}
