import type { Actor } from '#lib/access/audit.ts'
import { assertMay, ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { type AgentDetail, findAgentDetail } from '#lib/identity/agent-detail.ts'
import { findRegistered } from '#lib/identity/find-registered.ts'
import type { PersonalAgentSettings } from '#lib/identity/schema.ts'
import { applyProvision } from './apply-provision.ts'
import { StaleEditError } from './stale-edit.ts'

type Editor = { viewer: Viewer; actor: Actor }

/** A personal agent that is known already, by this issuer. */
type Known = NonNullable<Awaited<ReturnType<typeof findRegistered>>>

async function apply(settings: PersonalAgentSettings, actor: Actor, since: Date | undefined): Promise<void> {
  await applyProvision(
    { personalAgents: [settings], brands: [], console: { users: [] } },
    { dryRun: false, actor, unchanged: { kind: 'personal agent', issuer: settings.issuer, since } },
  )
}

/**
 * Registers a personal agent (§3.1).
 *
 * @param settings valid under `personalAgentSchema`
 * @returns its id; or the one that has this issuer already
 * @throws ForbiddenError, ProvisionError
 */
export async function registerPersonalAgent(
  { viewer, actor }: Editor,
  settings: PersonalAgentSettings,
): Promise<{ ok: true; id: string } | { ok: false; known: Known }> {
  assertMay(viewer, 'personal-agents.write')
  const known = await findRegistered(viewer, settings.issuer)
  if (known) return { ok: false, known }
  let isFirst = true
  try {
    await apply(settings, actor, undefined)
  } catch (error) {
    if (!(error instanceof StaleEditError)) throw error
    // Somebody registered it at the same moment.
    isFirst = false
  }
  const stored = await findRegistered(viewer, settings.issuer)
  if (!stored) throw new ForbiddenError('no such personal agent')
  return isFirst ? { ok: true, id: stored.id } : { ok: false, known: stored }
}

/**
 * Changes a personal agent. Its issuer stays, whatever the settings say; a discovered one becomes registered, unless they
 * say that it is not.
 *
 * @param since the version that was looked at
 * @returns the personal agent as it is now
 * @throws ForbiddenError for one that does not exist, too; StaleEditError where somebody else has changed it meanwhile
 */
export async function editPersonalAgent(
  { viewer, actor }: Editor,
  { id, since }: { id: string; since: Date },
  settings: Omit<PersonalAgentSettings, 'issuer'>,
): Promise<AgentDetail> {
  assertMay(viewer, 'personal-agents.write')
  const { issuer } = await getAgentDetail(viewer, id)
  await apply({ ...settings, issuer }, actor, since)
  return getAgentDetail(viewer, id)
}

/** {@link findAgentDetail}, of one that must be there. @throws ForbiddenError */
export async function getAgentDetail(viewer: Viewer, id: string): Promise<AgentDetail> {
  const stored = await findAgentDetail(viewer, id)
  if (!stored) throw new ForbiddenError('no such personal agent')
  return stored
}
