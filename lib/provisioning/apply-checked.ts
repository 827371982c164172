import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import type { BrandInput, BrandSettings } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { applyProvision, ProvisionError } from './apply-provision.ts'
import type { Change } from './change.ts'
import type { Finding } from './fault.ts'
import { noteDespiteChecks } from './note-despite-checks.ts'
import { canBeChecked, checksOf, describeUnpassed, findFailedChecks } from './run-brand-checks.ts'
import type { Provision } from './schema.ts'

export type CheckedApplyOptions = {
  /** Change nothing, and run no check: only say what would change. */
  dryRun: boolean
  /** Who does it, for the audit log. */
  actor: Actor
  /** Apply though checks fail; the audit log then says which. */
  despiteChecks?: boolean
  /** Is told of each Brand whose checks are about to run. */
  onChecks?: (brand: string, count: number) => void
}

async function readBefore(brands: readonly BrandSettings[]): Promise<Map<string, BrandInput>> {
  const where = { id: { in: brands.map(({ id }) => id) } }
  const stored = await prisma().brand.findMany({ where, include: settingsParts })
  return new Map(stored.map((brand) => [brand.id, toBrandSettings(brand)]))
}

function placeOf(brand: number, settings: BrandSettings, { name }: CheckResult): Finding['path'] {
  const check = checksOf(settings).findIndex((each) => each.name === name)
  return ['brands', brand, 'agent', 'checks', check]
}

const DESPITE = 'Nothing was applied. --despite-checks applies it though checks fail.'

const toName = ({ name }: { name: string }) => name

type Judged = { findings: Finding[]; notes: AuditEntry[] }

async function judge(provision: Provision, { actor, onChecks }: CheckedApplyOptions): Promise<Judged> {
  const checked = provision.brands.filter((brand) => checksOf(brand).length > 0)
  const judged: Judged = { findings: [], notes: [] }
  if (checked.length === 0) return judged
  const stored = await readBefore(checked)
  for (const [index, changed] of provision.brands.entries()) {
    const checks = checksOf(changed)
    const before = stored.get(changed.id)
    if (!canBeChecked(changed, before)) {
      judged.notes.push(...noteDespiteChecks(actor, changed, { notRun: checks.map(toName) }))
      continue
    }
    const onRun = () => onChecks?.(changed.name, checks.length)
    const failed = await findFailedChecks({ actor }, { before, changed }, { checks, onRun })
    judged.notes.push(...noteDespiteChecks(actor, changed, { failed: failed.map(toName) }))
    judged.findings.push(
      ...failed.map((result) => ({
        path: placeOf(index, changed, result),
        reason: `“${result.name}” fails: ${describeUnpassed(result)}`,
      })),
    )
  }
  return judged
}

/**
 * Applies a provision file as {@link applyProvision} does, once each Brand whose agent changes by it has passed the checks that
 * the file gives it. A Brand with a bot that is only made by the file is not checked: its bot is called with a key that is
 * made with the Brand; the audit log says so.
 *
 * @throws ProvisionError when a check fails and is not overridden, or what is stored does not allow what the file says; then
 *   nothing has changed
 */
export async function applyChecked(provision: Provision, options: CheckedApplyOptions): Promise<Change[]> {
  const { dryRun, actor, despiteChecks = false } = options
  if (dryRun) return applyProvision(provision, { dryRun })
  const { findings, notes } = await judge(provision, options)
  if (findings.length > 0 && !despiteChecks) throw new ProvisionError(findings, DESPITE)
  return applyProvision(provision, { dryRun, actor, notes })
}
