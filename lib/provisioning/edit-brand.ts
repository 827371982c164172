import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import { assertMay, ForbiddenError, may, type Viewer } from '#lib/access/permissions.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import type { BrandInput, BrandSettings } from '#lib/brands/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { type ApplyOptions, applyProvision, ProvisionError } from './apply-provision.ts'
import { checkBrand, ofOneBrand } from './check-brand.ts'
import type { Finding } from './fault.ts'
import { noteDespiteChecks } from './note-publishing.ts'
import type { PublishedDraft } from './published-agents.ts'
import { checksOf, describeFailedChecks, judgeAgent } from './run-brand-checks.ts'
import { StaleEditError } from './stale-edit.ts'

/** `version`: as the Brand now is. */
export type BrandSaved = { ok: true; version: Date } | { ok: false; findings: Finding[] }

const OVERRIDE = 'Publish a draft to override them'

/** Another Brand's name is for those alone who may see it. */
function withoutOwner(findings: readonly Finding[], viewer: Viewer): Finding[] {
  if (viewer.providerRole) return [...findings]
  return findings.map((finding) =>
    finding.path[0] === 'domain' ? { ...finding, reason: 'is the domain of another Brand' } : finding,
  )
}

async function apply(viewer: Viewer, settings: BrandSettings, options: ApplyOptions): Promise<Finding[]> {
  try {
    await applyProvision(provisionOf(settings), options)
    return []
  } catch (error) {
    if (error instanceof ProvisionError) return withoutOwner(ofOneBrand(error.findings), viewer)
    throw error
  }
}

const provisionOf = (settings: BrandSettings) => ({
  personalAgents: [],
  brands: [settings],
  console: { users: [] },
})

async function differs(settings: BrandSettings): Promise<boolean> {
  return (await applyProvision(provisionOf(settings), { dryRun: true })).length > 0
}

async function versionOf(id: string): Promise<Date> {
  const { updatedAt } = await prisma().brand.findUniqueOrThrow({ where: { id }, select: { updatedAt: true } })
  return updatedAt
}

async function findMade(settings: BrandSettings): Promise<BrandSaved> {
  if (!(await differs(settings))) return { ok: true, version: await versionOf(settings.id) }
  return { ok: false, findings: [{ path: ['id'], reason: 'belongs to a Brand that exists already' }] }
}

/** Whoever reads masked texts must not be able to show them to themselves. */
function checkMasking(
  viewer: Viewer,
  before: readonly string[],
  { id, conversation }: BrandSettings,
): Finding[] {
  const kept: readonly string[] = conversation.maskedFor
  if (may(viewer, 'brands.unmask', id) || before.every((role) => kept.includes(role))) return []
  const reason = 'can be taken from no role here: only a Provider admin shows texts that are hidden'
  return [{ path: ['conversation', 'maskedFor'], reason }]
}

/** What is in the Provider's own network is the Provider's to say. */
function checkNetworks(viewer: Viewer, before: boolean, { id, privateNetworks }: BrandSettings): Finding[] {
  if (privateNetworks === before || may(viewer, 'brands.networks', id)) return []
  return [{ path: ['privateNetworks'], reason: 'can be changed by a Provider admin only' }]
}

/**
 * Makes a Brand, once its agent has passed the checks that come along (a bot's can be run only when the Brand is there). The same settings sent again, as after a lost connection, find it made.
 *
 * @throws ForbiddenError
 */
export async function createBrand(viewer: Viewer, actor: Actor, input: BrandInput): Promise<BrandSaved> {
  assertMay(viewer, 'brands.create')
  const checked = checkBrand(input)
  if (!checked.ok) return checked
  const { id } = checked.settings
  const refused = checkNetworks(viewer, false, checked.settings)
  if (refused.length > 0) return { ok: false, findings: refused }
  if ((await prisma().brand.count({ where: { id } })) > 0) return findMade(checked.settings)
  const made = { before: undefined, changed: checked.settings }
  const { failed, notRun } = await judgeAgent({ actor, viewer }, made, { checks: checksOf(checked.settings) })
  if (failed.length > 0) return { ok: false, findings: describeFailedChecks(failed) }
  const notes = noteDespiteChecks(actor, checked.settings, { notRun })
  try {
    const unchanged = { kind: 'brand', id, since: undefined } as const
    const findings = await apply(viewer, checked.settings, { dryRun: false, actor, unchanged, notes })
    return findings.length > 0 ? { ok: false, findings } : { ok: true, version: await versionOf(id) }
  } catch (error) {
    // Somebody made it at the same moment.
    if (error instanceof StaleEditError) return findMade(checked.settings)
    throw error
  }
}

/**
 * Changes a Brand, by the same rules and in the same way as a provision file. An agent that is changed by it must pass the
 * Brand's checks, which takes as long as they do; the agent of a draft has passed them, or they were overridden.
 *
 * @param since the version that was looked at
 * @param change makes the new settings of those that are stored
 * @param options.notes what the audit log is told besides
 * @param options.draft the draft of its agent that is published by this
 * @throws ForbiddenError for one that the viewer may not change, and in the same way for one that does not exist;
 *   StaleEditError where somebody else has changed it meanwhile
 */
export async function editBrand(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  { id, since }: { id: string; since: Date },
  change: (settings: BrandInput) => unknown,
  { notes = [], draft }: { notes?: readonly AuditEntry[]; draft?: PublishedDraft } = {},
): Promise<BrandSaved> {
  assertMay(viewer, 'brands.write', id)
  const stored = await prisma().brand.findUnique({ where: { id }, include: settingsParts })
  if (!stored) throw new ForbiddenError('no such Brand')
  if (stored.updatedAt.getTime() !== since.getTime()) throw new StaleEditError('The brand was changed')
  if (stored.archivedAt) {
    return { ok: false, findings: [{ path: [], reason: 'This Brand is archived: bring it back first.' }] }
  }
  const checked = checkBrand(change(toBrandSettings(stored)))
  if (!checked.ok) return checked
  const settings = { ...checked.settings, id }
  const refused = [
    ...checkMasking(viewer, stored.maskedFor, settings),
    ...checkNetworks(viewer, stored.privateNetworks, settings),
  ]
  if (refused.length > 0) return { ok: false, findings: refused }
  // The checks of a draft were run before. Else it is those that are stored, whatever becomes of them by the same change.
  const before = toBrandSettings(stored)
  const checks = draft ? [] : checksOf(before)
  const { failed, notRun } = await judgeAgent({ actor, viewer }, { before, changed: settings }, { checks })
  if (failed.length > 0) return { ok: false, findings: describeFailedChecks(failed, OVERRIDE) }
  const all = [...notes, ...noteDespiteChecks(actor, settings, { notRun })]
  const unchanged = { kind: 'brand', id, since } as const
  const options = { dryRun: false, actor, unchanged, notes: all, ...(draft ? { draft } : {}) }
  const findings = await apply(viewer, settings, options)
  return findings.length > 0 ? { ok: false, findings } : { ok: true, version: await versionOf(id) }
}
