import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { insertGrantChange } from '#lib/delegation/grant-changes.ts'
import { prisma } from '#lib/platform/database.ts'

/** What putting a Brand away ended. */
export type Archived = { grants: number; conversations: number }

/** How long it may take where a Brand has very many grants and conversations, in milliseconds. */
const TIME_LIMIT = 60_000

/**
 * Puts a Brand away: its agent is not found any more (§2.1, 404), its live grants end, its open conversations close, and its
 * domain is free for another. All of it or nothing. Keys, receipts and everything that is past stay.
 *
 * @returns undefined when it was put away before, or does not exist
 * @throws ForbiddenError
 */
export async function archiveBrand(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  brandId: string,
): Promise<Archived | undefined> {
  assertMay(viewer, 'brands.archive', brandId)
  return prisma().$transaction(
    async (transaction) => {
      const [brand] = await transaction.$queryRaw<
        { name: string; enabled: boolean; domain: string | null }[]
      >`
        SELECT "name", "enabled", "domain" FROM "Brand" WHERE "id" = ${brandId} AND "archivedAt" IS NULL FOR UPDATE`
      if (!brand) return undefined
      const { name, ...before } = brand
      await transaction.brand.update({
        where: { id: brandId },
        data: { archivedAt: new Date(), enabled: false, domain: null },
      })
      const grants = await transaction.$executeRawUnsafe(
        `WITH found AS (
          SELECT "id", "scopes" FROM "Grant" WHERE "brandId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > now()
          ORDER BY "id" FOR UPDATE
        ), ended AS (
          UPDATE "Grant" g SET "revokedAt" = now(), "revokedBy" = 'console' FROM found WHERE g."id" = found."id"
        )
        ${insertGrantChange} SELECT $1, "id", 'revoked', 'console', "scopes", '{}', $2 FROM found`,
        brandId,
        actor.name,
      )
      const conversations = await transaction.$executeRaw`
        UPDATE "Conversation" SET "state" = 'closed', "closedBy" = 'console', "closedAt" = now()
        WHERE "brandId" = ${brandId} AND "state" = 'open'`
      const after = { enabled: false, domain: null, grantsEnded: grants, conversationsClosed: conversations }
      const subject = `${name} (${brandId})`
      await appendAudit(transaction, [{ actor, brandId, action: 'brand.archive', subject, before, after }])
      return { grants, conversations }
    },
    { maxWait: TIME_LIMIT, timeout: TIME_LIMIT },
  )
}

/**
 * Brings back a Brand that was put away. It stays disabled until somebody enables it; what had ended stays ended.
 *
 * @returns false when it was not put away
 * @throws ForbiddenError
 */
export async function restoreBrand(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  brandId: string,
): Promise<boolean> {
  assertMay(viewer, 'brands.archive', brandId)
  return prisma().$transaction(async (transaction) => {
    const { count } = await transaction.brand.updateMany({
      where: { id: brandId, archivedAt: { not: null } },
      data: { archivedAt: null },
    })
    if (count !== 1) return false
    const { name } = await transaction.brand.findUniqueOrThrow({
      where: { id: brandId },
      select: { name: true },
    })
    const subject = `${name} (${brandId})`
    await appendAudit(transaction, [{ actor, brandId, action: 'brand.restore', subject }])
    return true
  })
}
