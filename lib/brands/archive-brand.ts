import { setTimeout } from 'node:timers/promises'
import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { closeConversationsOfBrand } from '#lib/conversations/close-conversations-of-brand.ts'
import { endGrantsOfBrand } from '#lib/delegation/end-grants.ts'
import { prisma } from '#lib/platform/database.ts'

/** What putting a Brand away ended. */
export type Archived = { grants: number; conversations: number }

type Doer = { viewer: Viewer; actor: Actor }

/** Until then every process has heard that a Brand is away, and what was under way is stored. In milliseconds. */
const IN_FLIGHT = 1_500

/** @returns its name, or undefined when it was put away before, or does not exist */
async function markArchived(actor: Actor, brandId: string): Promise<string | undefined> {
  return prisma().$transaction(async (transaction) => {
    const [brand] = await transaction.$queryRaw<{ name: string; enabled: boolean; domain: string | null }[]>`
      SELECT "name", "enabled", "domain" FROM "Brand" WHERE "id" = ${brandId} AND "archivedAt" IS NULL FOR UPDATE`
    if (!brand) return undefined
    const { name, ...before } = brand
    const after = { enabled: false, domain: null }
    await transaction.brand.update({ where: { id: brandId }, data: { ...after, archivedAt: new Date() } })
    const subject = `${name} (${brandId})`
    await appendAudit(transaction, [{ actor, brandId, action: 'brand.archive', subject, before, after }])
    return name
  })
}

async function endAll(actor: Actor, brandId: string): Promise<Archived> {
  const conversations = await closeConversationsOfBrand(brandId)
  return { conversations, grants: await endGrantsOfBrand(brandId, actor.name) }
}

/**
 * Puts a Brand away: its agent is not found any more (§2.1, 404), and its domain is free for another; that counts at once.
 * Then its live grants end and its open conversations close, in small batches, and a moment later those that were under
 * way. Keys, receipts and everything that is past stay.
 *
 * @returns undefined when it was put away before, or does not exist
 * @throws ForbiddenError
 */
export async function archiveBrand({ viewer, actor }: Doer, brandId: string): Promise<Archived | undefined> {
  assertMay(viewer, 'brands.archive', brandId)
  const name = await markArchived(actor, brandId)
  if (name === undefined) return undefined
  const first = await endAll(actor, brandId)
  await setTimeout(IN_FLIGHT)
  const late = await endAll(actor, brandId)
  const ended = {
    grants: first.grants + late.grants,
    conversations: first.conversations + late.conversations,
  }
  const after = { grantsEnded: ended.grants, conversationsClosed: ended.conversations }
  const subject = `${name} (${brandId})`
  await prisma().$transaction((transaction) =>
    appendAudit(transaction, [{ actor, brandId, action: 'brand.archive-ended', subject, after }]),
  )
  return ended
}

/**
 * Brings back a Brand that was put away. It stays disabled until somebody enables it; what had ended stays ended.
 *
 * @returns false when it was not put away
 * @throws ForbiddenError
 */
export async function restoreBrand({ viewer, actor }: Doer, brandId: string): Promise<boolean> {
  assertMay(viewer, 'brands.archive', brandId)
  const where = { id: brandId, archivedAt: { not: null } }
  if ((await prisma().brand.count({ where })) !== 1) return false
  // Where putting it away was interrupted, something may have been left.
  await endAll(actor, brandId)
  return prisma().$transaction(async (transaction) => {
    const { count } = await transaction.brand.updateMany({ where, data: { archivedAt: null } })
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
