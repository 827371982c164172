import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { listedBrands } from '#lib/access/list-scope.ts'
import { assertMay, brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { SearchCutError, searchPersonalAgents } from '#lib/identity/find-by-words.ts'
import { type ConditionList, newConditions } from '#lib/platform/condition-list.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { buildEndStatement, type EndedGrant } from './end-grants.ts'
import { getVisibleGrant } from './find-grant-detail.ts'
import { addGrantFilter } from './grant-conditions.ts'
import type { MatchingGrants } from './grant-list-schema.ts'
import { revokeStatement } from './grants.ts'
import { MOST_COUNTED } from './most-counted.ts'

/**
 * Ends one grant for a console user, at once and on every instance, with its audit entry.
 *
 * @returns false when it had ended before
 * @throws ForbiddenError for one that the viewer may not revoke, and in the same way for one that does not exist
 */
export async function revokeGrantByConsole(viewer: Viewer, actor: Actor, grantId: string): Promise<boolean> {
  const grant = await getVisibleGrant(viewer, grantId)
  const { brandId } = grant
  assertMay(viewer, 'grants.revoke', brandId)
  return prisma().$transaction(async (transaction) => {
    const values = [brandId, grantId, 'console', null, actor.name]
    const revoked = await transaction.$executeRawUnsafe(revokeStatement.text, ...values)
    if (revoked !== 1) return false
    const before = { scopes: grant.scopes, brandUserId: grant.brandUserId }
    await appendAudit(transaction, [{ actor, brandId, action: 'grant.revoke', subject: grantId, before }])
    return true
  })
}

async function buildMatching(viewer: Viewer, matching: MatchingGrants): Promise<ConditionList> {
  const conditions = newConditions()
  const { add, value } = conditions
  const brands = listedBrands(brandFilter(viewer, 'grants.revoke', matching.brand))
  if (brands) add(`g."brandId" = ANY (${value(brands)}::text[])`)
  const { agent, user, scope, countedAt } = matching
  if (agent && (await searchPersonalAgents(agent)).cut) throw new SearchCutError('too many personal agents')
  await addGrantFilter(conditions, { agent, user, scope, state: 'live' })
  add(`g."createdAt" <= ${value(countedAt)}`)
  return conditions
}

/**
 * Counts the live grants that match a filter and that a viewer may revoke, up to one more than {@link MOST_COUNTED}.
 *
 * @throws ForbiddenError where they may revoke none, SearchCutError where the filter means more personal agents than are
 *   looked at
 */
export async function countRevocable(viewer: Viewer, matching: MatchingGrants): Promise<number> {
  const conditions = await buildMatching(viewer, matching)
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM (
      SELECT FROM "Grant" g WHERE ${conditions.text()} LIMIT ${MOST_COUNTED + 1}) counted`,
    conditions.values,
  )
  return rows[0]?.count ?? 0
}

/** How many a batch ended, and after which the next one goes on. */
export type RevokedBatch = { count: number; last: string | undefined }

/**
 * Ends the next of the live grants that match a filter, at once and on every instance: one transaction, and one audit entry
 * for each Brand that says the filter and which they were. Called again, after the last one, until it ends none.
 *
 * @throws ForbiddenError where the viewer may revoke none, SearchCutError as {@link countRevocable}
 */
export async function revokeNextMatching(
  viewer: Viewer,
  actor: Actor,
  { after, ...matching }: MatchingGrants & { after?: string | undefined },
): Promise<RevokedBatch> {
  const conditions = await buildMatching(viewer, matching)
  const text = buildEndStatement(conditions, { after, actor: actor.name })
  const { countedAt: _, ...filter } = matching
  return prisma().$transaction(async (transaction) => {
    const ended = await transaction.$queryRawUnsafe<EndedGrant[]>(text, ...conditions.values)
    const brands = Map.groupBy(ended, ({ brandId }) => brandId)
    await appendAudit(
      transaction,
      [...brands].map(([brandId, grants]) => ({
        actor,
        brandId,
        action: 'grant.revoke-matching',
        subject: grants.length === 1 ? '1 grant' : `${grants.length} grants`,
        before: { filter, grants: grants.map(({ id }) => id) },
      })),
    )
    return { count: ended.length, last: ended.at(-1)?.id }
  })
}
