import { findPersonalAgentIds } from '#lib/identity/find-by-words.ts'
import type { ConditionList } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import type { ReceiptFilter } from './receipt-list-schema.ts'

const DAY = 86_400_000
/** Up to how many issuers are looked up one by one in the index over claims. */
const FEW = 10

async function findIssuers(words: string): Promise<string[]> {
  const ids = await findPersonalAgentIds(words)
  const { rows } = await pool().query<{ issuer: string }>(
    'SELECT "issuer" FROM "PersonalAgent" WHERE "id" = ANY ($1::uuid[])',
    [ids],
  )
  return rows.map(({ issuer }) => issuer)
}

function buildIssuerCondition({ value }: ConditionList, issuers: readonly string[]): string {
  if (issuers.length === 0) return 'FALSE'
  if (issuers.length > FEW) return `r."claims"->>'pa' = ANY (${value(issuers)}::text[])`
  const each = issuers.map((pa) => `r."claims" @> ${value(JSON.stringify({ pa }))}::jsonb`)
  return `(${each.join(' OR ')})`
}

/** Adds what a filter asks of receipts `r`, all but their Brand. */
export async function addReceiptFilter(conditions: ConditionList, filter: ReceiptFilter): Promise<void> {
  const { add, value } = conditions
  const { agent, user, scope, tool, grant, from, until } = filter
  if (agent) add(buildIssuerCondition(conditions, await findIssuers(agent)))
  const contained = {
    ...(user ? { user } : {}),
    ...(grant ? { grantId: grant } : {}),
    ...(scope ? { scopesUsed: [scope] } : {}),
    ...(tool ? { actions: [{ tool }] } : {}),
  }
  if (Object.keys(contained).length > 0) add(`r."claims" @> ${value(JSON.stringify(contained))}::jsonb`)
  if (from) add(`r."issuedAt" >= ${value(from)}`)
  if (until) add(`r."issuedAt" < ${value(new Date(until.getTime() + DAY))}`)
}
