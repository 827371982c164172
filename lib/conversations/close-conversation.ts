import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { getConversation } from './find-conversation.ts'

/**
 * Closes a conversation (§4.2): its next message gets `UNSUPPORTED_OPERATION`. A turn that runs still gets its reply. Of
 * two who close it, one does.
 *
 * @returns false when it was closed before
 * @throws ForbiddenError for one that the viewer may not close, and in the same way for one that does not exist
 */
export async function closeConversation(viewer: Viewer, actor: Actor, id: string): Promise<boolean> {
  const { brand } = await getConversation(viewer, id)
  assertMay(viewer, 'conversations.write', brand.id)
  return prisma().$transaction(async (transaction) => {
    const closed = await transaction.$executeRaw`
      UPDATE "Conversation" SET "state" = 'closed', "closedBy" = 'console', "closedAt" = now()
      WHERE "id" = ${id}::uuid AND "brandId" = ${brand.id} AND "state" = 'open'`
    if (closed !== 1) return false
    await appendAudit(transaction, [
      {
        actor,
        brandId: brand.id,
        action: 'conversation.close',
        subject: id,
        before: { state: 'open' },
        after: { state: 'closed' },
      },
    ])
    return true
  })
}
