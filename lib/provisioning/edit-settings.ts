import type { Actor } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import type { ProviderSettings } from '#lib/identity/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { applyProvision } from './apply-provision.ts'

/**
 * Changes the Provider's settings, if they are still as somebody saw them.
 *
 * @param since when what they saw had been changed last
 * @returns when they were changed last, now
 * @throws ForbiddenError, and StaleEditError when somebody else was faster: then nothing has changed
 */
export async function editSettings(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  settings: ProviderSettings,
  since: Date,
): Promise<Date> {
  assertMay(viewer, 'settings.write')
  const provision = { provider: settings, personalAgents: [], brands: [], console: { users: [] } }
  await applyProvision(provision, { dryRun: false, actor, unchanged: { kind: 'provider', since } })
  const { updatedAt } = await prisma().provider.findUniqueOrThrow({ where: { id: 1 } })
  return updatedAt
}
