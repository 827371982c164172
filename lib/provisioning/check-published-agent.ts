import type { Actor } from '#lib/access/audit.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { runBrandChecks } from './run-brand-checks.ts'

/** Runs a Brand's checks against its agent as it answers now; undefined where there is no such Brand. For the operator. */
export async function checkPublishedAgent(brandId: string, actor: Actor): Promise<CheckResult[] | undefined> {
  if (!brandIdSchema.safeParse(brandId).success) return undefined
  const stored = await prisma().brand.findUnique({ where: { id: brandId }, include: settingsParts })
  if (!stored) return undefined
  const settings = toBrandSettings(stored)
  const { checks: _checks, ...agent } = settings.agent
  return runBrandChecks({ actor }, { id: brandId, settings }, agent)
}
