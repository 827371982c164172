import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import type { Check } from '#lib/agents/checks/schema.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import type { BrandInput, BrandSettings } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { printable } from '#lib/platform/printable.ts'
import { applyProvision, ProvisionError } from './apply-provision.ts'
import type { Change } from './change.ts'
import type { Finding } from './fault.ts'
import { noteDespiteChecks } from './note-publishing.ts'
import { checksOf, describeUnpassed, judgeAgent } from './run-brand-checks.ts'
import type { Provision } from './schema.ts'
import { StaleEditError, type Unchanged } from './stale-edit.ts'

/** How often it is begun anew because somebody changed a Brand while its checks ran. */
const ATTEMPTS = 3

const DESPITE = 'Nothing was applied. --despite-checks applies it though checks fail.'

export type CheckedApplyOptions = {
  /** Change nothing, and run no check: only say what would change. */
  dryRun: boolean
  /** Who does it, for the audit log. */
  actor: Actor
  /** Apply though checks fail; the audit log then says which. */
  despiteChecks?: boolean
  /** Is told of each Brand whose checks are about to run. */
  onChecks?: (brand: string, count: number) => void
  /** Once it is aborted, no more checks begin and nothing is applied. */
  signal?: AbortSignal
}

/** What an operator is told while they run. */
export const announceChecks = (brand: string, count: number) =>
  `Running the ${count === 1 ? 'check' : `${count} checks`} of ${printable(brand)} …`

type Stored = { settings: BrandInput; since: Date }

async function readBefore(brands: readonly BrandSettings[]): Promise<Map<string, Stored>> {
  const where = { id: { in: brands.map(({ id }) => id) } }
  const stored = await prisma().brand.findMany({ where, include: settingsParts })
  return new Map(
    stored.map((brand) => [brand.id, { settings: toBrandSettings(brand), since: brand.updatedAt }]),
  )
}

/** The file's checks, and those that are stored and that the file leaves out: it must not get past them by that. */
function checksToPass(changed: BrandSettings, before: BrandInput | undefined): Check[] {
  const own = checksOf(changed)
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...(before ? checksOf(before) : []).filter(({ name }) => !names.has(name))]
}

/** Where in the file a check stands: at the agent where it is only stored. */
function placeOf(brand: number, settings: BrandSettings, { name }: CheckResult): Finding['path'] {
  const agent = ['brands', brand, 'agent'] as const
  const check = checksOf(settings).findIndex((each) => each.name === name)
  return check < 0 ? agent : [...agent, 'checks', check]
}

type Judged = { findings: Finding[]; notes: AuditEntry[]; unchanged: Unchanged[] }

async function judge(provision: Provision, options: CheckedApplyOptions): Promise<Judged> {
  const { actor, onChecks, signal } = options
  const judged: Judged = { findings: [], notes: [], unchanged: [] }
  const stored = await readBefore(provision.brands)
  for (const [index, changed] of provision.brands.entries()) {
    signal?.throwIfAborted()
    const { settings: before, since } = stored.get(changed.id) ?? {}
    const checks = checksToPass(changed, before)
    if (checks.length === 0) continue
    const onRun = () => onChecks?.(changed.name, checks.length)
    const { failed, notRun } = await judgeAgent({ actor }, { before, changed }, { checks, onRun })
    const which = { failed: failed.map(({ name }) => name), notRun }
    judged.unchanged.push({ kind: 'brand', id: changed.id, since })
    judged.notes.push(...noteDespiteChecks(actor, changed, which))
    const findings = failed.map((result) => ({
      path: placeOf(index, changed, result),
      reason: `“${result.name}” fails: ${describeUnpassed(result)}`,
    }))
    judged.findings.push(...findings)
  }
  return judged
}

/**
 * Applies a provision file as {@link applyProvision} does, once each Brand whose agent changes by it has passed its checks: the
 * file's, and those that are stored and that the file leaves out. A bot can't be asked before its Brand has a key with which
 * it is called, which the audit log then says.
 *
 * @throws ProvisionError when a check fails and is not overridden, or what is stored does not allow what the file says;
 *   StaleEditError when somebody goes on changing what is judged. Then nothing has changed
 */
export async function applyChecked(provision: Provision, options: CheckedApplyOptions): Promise<Change[]> {
  const { dryRun, actor, despiteChecks = false, signal } = options
  // What can't be applied anyway is told before a model is asked.
  const planned = await applyProvision(provision, { dryRun: true })
  if (dryRun || planned.length === 0) return planned
  for (let attempt = 1; ; attempt++) {
    const { findings, notes, unchanged } = await judge(provision, options)
    if (findings.length > 0 && !despiteChecks) throw new ProvisionError(findings, DESPITE)
    signal?.throwIfAborted()
    try {
      return await applyProvision(provision, { dryRun, actor, notes, unchanged })
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof StaleEditError)) throw error
    }
  }
}
