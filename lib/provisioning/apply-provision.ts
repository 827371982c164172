import { type Actor, type AuditEntry, appendAudit } from '#lib/access/audit.ts'
import { keepingAnAdmin, LastAdminError } from '#lib/access/last-admin.ts'
import { prisma } from '#lib/platform/database.ts'
import { buildAuditEntry } from './audit-entry.ts'
import type { Change, Step, Transaction } from './change.ts'
import { type Finding, formatPath } from './fault.ts'
import { planBrands, releaseDomains } from './plan-brands.ts'
import { planConsoleUsers } from './plan-console-users.ts'
import { planPersonalAgents } from './plan-personal-agents.ts'
import { planProvider } from './plan-provider.ts'
import { findLostSecrets } from './plan-secrets.ts'
import { assertLastVersion, keepPublishedAgents, type PublishedDraft } from './published-agents.ts'
import { readStored, type Stored } from './read-stored.ts'
import type { Provision } from './schema.ts'
import { assertUnchanged, type Unchanged } from './stale-edit.ts'

/** Any constant will do: it keeps applying processes apart from each other, and from nobody else. */
const APPLY_LOCK = 7_204_177
/** How long applying may take, waiting for others included, in milliseconds. */
const TIME_LIMIT = 120_000
const ATTEMPTS = 4

/** The file says what can't be, given what is stored. Nothing was applied. */
export class ProvisionError extends Error {
  override name = 'ProvisionError'
  readonly findings: readonly Finding[]
  /** What to do about it, where that goes beyond mending the file. */
  readonly hint: string | undefined

  constructor(findings: readonly Finding[], hint?: string) {
    super(findings.map(({ path, reason }) => `${formatPath(path)}: ${reason}`).join('; '))
    this.findings = findings
    this.hint = hint
  }
}

function assertApplicable(provision: Provision, stored: Stored): void {
  const archived = new Set(stored.brands.filter(({ archivedAt }) => archivedAt).map(({ id }) => id))
  const findings: Finding[] = provision.brands.flatMap(({ id, domain }, index) => {
    const takes = domain !== undefined && !archived.has(id)
    const owner = takes ? stored.domainOwners.find((each) => each.domain === domain) : undefined
    const reason = `${domain} is the domain of another Brand: ${owner?.name} (${owner?.id})`
    return owner ? [{ path: ['brands', index, 'domain'], reason }] : []
  })
  const secretsOf = new Map(stored.brands.map(({ id, secrets }) => [id, secrets]))
  const lost = provision.brands.flatMap((brand, index) =>
    findLostSecrets(brand, secretsOf.get(brand.id) ?? new Map()).map(({ path, reason }) => ({
      path: ['brands', index, ...path],
      reason,
    })),
  )
  findings.push(...lost)
  if (!provision.provider && !stored.provider) {
    findings.unshift({ path: ['provider'], reason: 'is required: no Provider is stored yet' })
  }
  if (findings.length > 0) throw new ProvisionError(findings)
}

export type ApplyOptions = {
  /** Change nothing, only say what would change. */
  dryRun: boolean
  /** Who does it, for the audit log. */
  actor?: Actor
  /** What must still be as somebody saw it, who now changes it. */
  unchanged?: Unchanged | readonly Unchanged[]
  /** The draft of an agent that is published by this. */
  draft?: PublishedDraft
  /** What the audit log is told besides, where something changes. */
  notes?: readonly AuditEntry[]
}

const someone: Actor = { kind: 'system', name: 'provision file' }

/** A Brand is edited as a whole: a change of its skills, scopes or tools is one of the Brand too. */
async function touchBrands(transaction: Transaction, steps: readonly { brandId?: string }[]): Promise<void> {
  const ids = new Set(steps.flatMap(({ brandId }) => brandId ?? []))
  if (ids.size === 0) return
  await transaction.brand.updateMany({ where: { id: { in: [...ids] } }, data: { updatedAt: new Date() } })
}

async function write(transaction: Transaction, provision: Provision, steps: readonly Step[]): Promise<void> {
  const writeAll = async () => {
    for (const step of steps) await step.write(transaction)
  }
  if (provision.console.users.length === 0) return writeAll()
  try {
    await keepingAnAdmin(transaction, writeAll)
  } catch (error) {
    if (!(error instanceof LastAdminError)) throw error
    const reason = 'would leave nobody who is a Provider admin and can sign in'
    throw new ProvisionError([{ path: ['console', 'users'], reason }])
  }
}

async function applyIn(
  transaction: Transaction,
  provision: Provision,
  options: ApplyOptions,
): Promise<Change[]> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${APPLY_LOCK})`
  const stored = await readStored(transaction, provision)
  assertApplicable(provision, stored)
  for (const unchanged of [options.unchanged ?? []].flat()) assertUnchanged(unchanged, stored)
  if (options.draft) await assertLastVersion(transaction, options.draft)
  const steps = [
    ...(provision.provider ? planProvider(provision.provider, stored.provider) : []),
    ...planPersonalAgents(provision.personalAgents, stored.personalAgents),
    ...(await planBrands(provision.brands, stored.brands)),
    ...planConsoleUsers(provision.console.users, stored.consoleUsers),
  ]
  if (!options.dryRun) {
    await releaseDomains(transaction, provision.brands, stored.brands)
    await write(transaction, provision, steps)
    await touchBrands(transaction, steps)
    const actor = options.actor ?? someone
    const kept = { savedBy: actor.name, draft: options.draft }
    await keepPublishedAgents(transaction, provision.brands, steps, kept)
    const notes = steps.length > 0 || options.draft ? (options.notes ?? []) : []
    await appendAudit(transaction, [...steps.map((step) => buildAuditEntry(actor, step)), ...notes])
  }
  return steps.map(({ change }) => change)
}

/** Others (the console, a personal agent just discovered) do not take the lock: what they stored is seen at the next attempt. */
function isCollision(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'P2002' || error.code === 'P2034'
}

/**
 * Makes what is stored as the provision file says, in one transaction. Only what differs is written, so that a second
 * run changes nothing. Personal agents, Brands and console users that the file does not name stay as they are; within a
 * Brand of the file, its skills, scopes and tools become exactly the file's. Processes that apply at once take turns.
 *
 * @returns what changed, in the file's order
 * @throws ProvisionError when what is stored does not allow it, StaleEditError when it is not as `unchanged` says; then
 *   nothing has changed
 */
export async function applyProvision(provision: Provision, options: ApplyOptions): Promise<Change[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await prisma().$transaction((transaction) => applyIn(transaction, provision, options), {
        maxWait: TIME_LIMIT,
        timeout: TIME_LIMIT,
      })
    } catch (error) {
      if (attempt === ATTEMPTS || !isCollision(error)) throw error
    }
  }
}
