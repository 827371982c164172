import { findPersonalAgentIds } from '#lib/identity/find-by-words.ts'
import type { ConditionList } from '#lib/platform/condition-list.ts'
import type { GrantFilter, GrantState } from './grant-list-schema.ts'

/** In SQL: the state of a grant `g` at this moment. */
export const grantState = `CASE WHEN g."revokedAt" IS NULL AND g."expiresAt" > now() THEN 'live'
  WHEN g."revokedAt" IS NULL OR g."revokedBy" = 'expiry' THEN 'expired' ELSE 'revoked' END`

const stateConditions: Record<GrantState, string> = {
  live: `g."revokedAt" IS NULL AND g."expiresAt" > now()`,
  expired: `(g."revokedBy" = 'expiry' OR (g."revokedAt" IS NULL AND g."expiresAt" <= now()))`,
  revoked: `g."revokedAt" IS NOT NULL AND g."revokedBy" IS DISTINCT FROM 'expiry'`,
}

/** Adds what a filter asks of grants `g`, all but their Brand. */
export async function addGrantFilter(
  { add, value }: ConditionList,
  filter: Omit<GrantFilter, 'brand'>,
): Promise<void> {
  const { agent, user, scope, state } = filter
  if (agent) add(`g."personalAgentId" = ANY (${value(await findPersonalAgentIds(agent))}::uuid[])`)
  if (user) {
    const text = value(user)
    add(`(g."subject" = ${text} OR g."brandUserId" = ${text})`)
  }
  if (scope) add(`${value(scope)} = ANY (g."scopes")`)
  if (state) add(stateConditions[state])
}
