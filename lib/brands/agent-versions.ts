import { assertMay, ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'

/** How many versions one look at the history shows, unless it says otherwise. */
const LISTED = 50

/** A version of a Brand's agent, as the history lists it. */
export type ListedVersion = { number: number; published: boolean; savedBy: string; savedAt: Date }

/** `settings`: as the provision file has an agent, without checks and secrets. */
export type AgentVersion = ListedVersion & { settings: unknown }

const listed = { number: true, published: true, savedBy: true, savedAt: true } as const

/**
 * The history of a Brand's agent, newest first.
 *
 * @param page.before only versions with a lower number; left out: from the last one on
 * @param page.limit how many at most
 * @throws ForbiddenError
 */
export async function listAgentVersions(
  viewer: Viewer,
  brandId: string,
  { before, limit = LISTED }: { before?: number | undefined; limit?: number } = {},
): Promise<ListedVersion[]> {
  assertMay(viewer, 'brands.read', brandId)
  return prisma().agentVersion.findMany({
    where: { brandId, ...(before === undefined ? {} : { number: { lt: before } }) },
    select: listed,
    orderBy: { number: 'desc' },
    take: limit,
  })
}

/** The last version of a Brand's agent, draft or not; undefined where none was kept yet. @throws ForbiddenError */
export async function findLastVersion(viewer: Viewer, brandId: string): Promise<AgentVersion | undefined> {
  assertMay(viewer, 'brands.read', brandId)
  const version = await prisma().agentVersion.findFirst({
    where: { brandId },
    select: { ...listed, settings: true },
    orderBy: { number: 'desc' },
  })
  return version ?? undefined
}

/** One version of a Brand's agent. @throws ForbiddenError, also where there is none */
export async function getAgentVersion(
  viewer: Viewer,
  brandId: string,
  number: number,
): Promise<AgentVersion> {
  assertMay(viewer, 'brands.read', brandId)
  const version = await prisma().agentVersion.findUnique({
    where: { brandId_number: { brandId, number } },
    select: { ...listed, settings: true },
  })
  if (!version) throw new ForbiddenError('no such version')
  return version
}
