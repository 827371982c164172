import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'

/** The personal agent with exactly this issuer, as stored now; undefined when nobody has it. */
export async function findRegistered(
  viewer: Viewer,
  issuer: string,
): Promise<{ id: string; name: string; origin: 'registered' | 'discovered' } | undefined> {
  assertMay(viewer, 'personal-agents.read')
  const select = { id: true, name: true, origin: true } as const
  return (await prisma().personalAgent.findUnique({ where: { issuer }, select })) ?? undefined
}
