import { Prisma } from '#prisma/generated/client.ts'
import { insertGrantChange, takeScopes } from './grant-changes.ts'
import type { GrantParties } from './grants.ts'
import { newGrantId } from './opaque-codes.ts'

/** What the steps of a decision share. */
export type Transaction = Prisma.TransactionClient

/** The Brand was disabled or put away meanwhile. What the transaction has begun must not stay. */
export class BrandGoneError extends Error {
  override name = 'BrandGoneError'
}

const recordChange = Prisma.raw(insertGrantChange)
const takeForUser = Prisma.raw(takeScopes("'user'"))

/** A grant whose time is over makes room for the next one; what it allowed is over with it. */
async function supersedeExpired(tx: Transaction, parties: GrantParties): Promise<void> {
  const { brandId, personalAgentId, subject, brandUserId } = parties
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE "Grant" SET "revokedAt" = now(), "revokedBy" = 'expiry'
      WHERE "brandId" = ${brandId} AND "personalAgentId" = ${personalAgentId}::uuid AND "subject" = ${subject}
        AND "brandUserId" = ${brandUserId} AND "revokedAt" IS NULL AND "expiresAt" <= now()
      RETURNING "id", "scopes"
    )
    ${recordChange} SELECT ${brandId}, "id", 'expired', 'expiry', "scopes", '{}', NULL FROM ended`
}

/**
 * Finds the grant that counts, or makes one that has no scopes yet, and locks it: whoever decides at the same moment waits,
 * and then sees what it has become.
 */
async function lockGrant(tx: Transaction, parties: GrantParties, grantTime: number): Promise<string> {
  const { brandId, personalAgentId, subject, brandUserId } = parties
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
    SELECT ${newGrantId()}::text, b."id", ${personalAgentId}::uuid, ${subject}::text, ${brandUserId}::text, '{}'::text[],
      now() + ${grantTime}::float8 * interval '1 millisecond'
    FROM "Brand" b WHERE b."id" = ${brandId} AND b."enabled" AND b."archivedAt" IS NULL
    ON CONFLICT ("brandId", "personalAgentId", "subject", "brandUserId") WHERE "revokedAt" IS NULL
    DO UPDATE SET "expiresAt" = EXCLUDED."expiresAt"
    RETURNING "id"`
  const id = rows[0]?.id
  if (id === undefined) throw new BrandGoneError('the Brand is not there any more')
  return id
}

/**
 * Creates the grant or changes the one that counts: of the scopes that were shown it keeps those left checked, and what
 * was not shown stays as it is. Its time begins anew. It enters the grant's history.
 *
 * @param terms.grantTime in milliseconds
 * @returns the grant's id
 * @throws BrandGoneError for a Brand that is disabled or put away, whatever a process remembers of it
 */
export async function storeGrant(
  tx: Transaction,
  parties: GrantParties,
  terms: { shown: readonly string[]; checked: readonly string[]; grantTime: number },
): Promise<string> {
  const { brandId } = parties
  const { shown, checked, grantTime } = terms
  await supersedeExpired(tx, parties)
  const id = await lockGrant(tx, parties, grantTime)
  const stored = await tx.$executeRaw`
    WITH found AS (
      SELECT "id", "scopes" AS "before",
        array(SELECT kept FROM unnest("scopes") AS kept WHERE kept <> ALL (${shown}::text[])
          UNION ALL SELECT unnest(${checked}::text[])) AS "after"
      FROM "Grant" WHERE "id" = ${id} AND "brandId" = ${brandId}
    ), changed AS (
      UPDATE "Grant" g SET "scopes" = found."after" FROM found WHERE g."id" = found."id"
    )
    ${recordChange} SELECT ${brandId}, "id", 'approved', 'user', "before", "after", NULL FROM found`
  if (stored !== 1) throw new Error('the scopes were not stored')
  return id
}

/** Takes scopes from the grant that counts, as its User wants it; without any left it ends. It enters the grant's history. */
export async function withdrawFromGrant(
  tx: Transaction,
  parties: GrantParties,
  scopes: readonly string[],
): Promise<void> {
  const { brandId, personalAgentId, subject, brandUserId } = parties
  await tx.$executeRaw`
    WITH found AS (
      SELECT "id", "brandId", "scopes" AS "before",
        array(SELECT kept FROM unnest("scopes") AS kept WHERE kept <> ALL (${scopes}::text[])) AS "after"
      FROM "Grant"
      WHERE "brandId" = ${brandId} AND "personalAgentId" = ${personalAgentId}::uuid AND "subject" = ${subject}
        AND "brandUserId" = ${brandUserId} AND "revokedAt" IS NULL
      FOR UPDATE
    ), ${takeForUser}`
}
