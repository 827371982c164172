import { Prisma } from '#prisma/generated/client.ts'
import { takeScopes } from './grant-changes.ts'

const takeForBrand = Prisma.raw(takeScopes("'brand'"))

/**
 * Takes a scope that the Brand does not define any more from every grant that has it, and enters that into their histories:
 * should the Brand define the same id again, nobody has allowed what it means then. A grant for nothing else ends.
 *
 * @param transaction the one that removes the scope
 */
export async function withdrawRemovedScope(
  transaction: Prisma.TransactionClient,
  brandId: string,
  scope: string,
): Promise<void> {
  await transaction.$executeRaw`
    WITH found AS (
      SELECT "id", "brandId", "scopes" AS "before", array_remove("scopes", ${scope}) AS "after" FROM "Grant"
      WHERE "brandId" = ${brandId} AND "revokedAt" IS NULL AND ${scope} = ANY("scopes")
      ORDER BY "id" FOR UPDATE
    ), ${takeForBrand}`
}
