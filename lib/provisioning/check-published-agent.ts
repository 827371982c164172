import type { Actor } from '#lib/access/audit.ts'
import { type CheckResult, runChecks } from '#lib/agents/checks/run-checks.ts'
import { findAgentSecret } from '#lib/agents/stored-secrets.ts'
import { buildVersionAgent } from '#lib/brands/draft-agent.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { noteRehearsal } from './note-rehearsal.ts'
import { checksOf } from './publish-agent.ts'

/** Runs a Brand's checks against its agent as it answers now; undefined where there is no such Brand. For the operator. */
export async function checkPublishedAgent(brandId: string, actor: Actor): Promise<CheckResult[] | undefined> {
  if (!brandIdSchema.safeParse(brandId).success) return undefined
  const stored = await prisma().brand.findUnique({ where: { id: brandId }, include: settingsParts })
  if (!stored) return undefined
  const settings = toBrandSettings(stored)
  const { checks: _checks, ...agent } = settings.agent
  const secret = (name: string, url: string) => findAgentSecret(brandId, name, url)
  const checked = { brandId, agent: buildVersionAgent(agent, settings), secret }
  const checks = checksOf(settings)
  if (checks.length > 0)
    await noteRehearsal(actor, { id: brandId, name: settings.name }, agent, { by: 'checks' })
  return runChecks(checked, checks)
}
