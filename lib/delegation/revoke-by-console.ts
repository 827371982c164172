import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { listedBrands } from '#lib/access/list-scope.ts'
import { assertMay, brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { type ConditionList, newConditions } from '#lib/platform/condition-list.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { getVisibleGrant } from './find-grant-detail.ts'
import { insertGrantChange } from './grant-changes.ts'
import { addGrantFilter } from './grant-conditions.ts'
import type { MatchingGrants } from './grant-list-schema.ts'
import { revokeStatement } from './grants.ts'

/** Grants that one transaction ends at most. */
const BATCH = 250

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
  await addGrantFilter(conditions, { agent, user, scope, state: 'live' })
  add(`g."createdAt" <= ${value(countedAt)}`)
  return conditions
}

/**
 * Counts the live grants that match a filter and that a viewer may revoke.
 *
 * @throws ForbiddenError where they may revoke none
 */
export async function countRevocable(viewer: Viewer, matching: MatchingGrants): Promise<number> {
  const conditions = await buildMatching(viewer, matching)
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "Grant" g WHERE ${conditions.text()}`,
    conditions.values,
  )
  return rows[0]?.count ?? 0
}

type Ended = { brandId: string; id: string }

async function endBatch(transaction: Prisma.TransactionClient, conditions: ConditionList, actor: Actor) {
  return transaction.$queryRawUnsafe<Ended[]>(
    `WITH found AS (
      SELECT g."id", g."brandId", g."scopes" FROM "Grant" g WHERE ${conditions.text()}
      ORDER BY g."id" LIMIT ${BATCH} FOR UPDATE
    ), ended AS (
      UPDATE "Grant" g SET "revokedAt" = now(), "revokedBy" = 'console' FROM found WHERE g."id" = found."id"
    ), history AS (
      ${insertGrantChange} SELECT "brandId", "id", 'revoked', 'console', "scopes", '{}', ${conditions.value(actor.name)}::text
      FROM found
    )
    SELECT "brandId", "id" FROM found`,
    ...conditions.values,
  )
}

/**
 * Ends the next of the live grants that match a filter, at once and on every instance: one transaction, and one audit entry
 * for each Brand that says the filter and which they were. Called again until it ends none.
 *
 * @returns how many it ended
 * @throws ForbiddenError where the viewer may revoke none
 */
export async function revokeNextMatching(
  viewer: Viewer,
  actor: Actor,
  matching: MatchingGrants,
): Promise<number> {
  const conditions = await buildMatching(viewer, matching)
  const { countedAt: _, ...filter } = matching
  return prisma().$transaction(async (transaction) => {
    const ended = await endBatch(transaction, conditions, actor)
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
    return ended.length
  })
}
