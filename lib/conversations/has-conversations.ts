import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'

/** Whether anybody has talked to a Brand yet. @throws ForbiddenError for one whose conversations the viewer may not see */
export async function hasConversations(viewer: Viewer, brandId: string): Promise<boolean> {
  assertMay(viewer, 'conversations.read', brandId)
  const first = await prisma().conversation.findFirst({ where: { brandId }, select: { id: true } })
  return first !== null
}
