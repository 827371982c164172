import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { listSecretSettings } from '#lib/agents/agent-secrets.ts'
import type { WrittenAgentSettings } from '#lib/agents/schema.ts'
import { findLastVersion, getAgentVersion } from '#lib/brands/agent-versions.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { getVisibleBrand, type VisibleBrand } from '#lib/brands/visible-brand.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Transaction } from './change.ts'
import { checkBrand } from './check-brand.ts'
import type { Finding } from './fault.ts'
import { toVersionSettings } from './published-agents.ts'
import { StaleEditError } from './stale-edit.ts'

/** Drafts of a Brand that are kept. */
export const KEPT_DRAFTS = 100

/** A Brand's agent as it is being edited. */
export type AgentDraft = {
  brand: VisibleBrand
  /** Of the version that is edited; 0: nothing was kept of this Brand's agent yet. */
  number: number
  /** Whether it is otherwise than what is published. */
  isDraft: boolean
  /** As the provision file has it, without checks and secrets. */
  agent: BrandInput['agent']
}

export type DraftSaved =
  | { ok: true; number: number }
  /** By the agent's own fields. */
  | { ok: false; findings: Finding[] }

type Editor = { viewer: Viewer; actor: Actor }

/** What is edited: the last draft; where the last version was published, what the Brand has. @throws ForbiddenError */
export async function getAgentDraft(viewer: Viewer, brandId: string): Promise<AgentDraft> {
  const brand = await getVisibleBrand(viewer, brandId)
  const last = await findLastVersion(viewer, brandId)
  const { checks: _checks, ...published } = brand.settings.agent
  const isDraft = last?.published === false
  const agent = isDraft ? (last.settings as BrandInput['agent']) : (published as BrandInput['agent'])
  return { brand, number: last?.number ?? 0, isDraft, agent }
}

/** What is wrong with an agent at its Brand, by the agent's own fields. */
export function checkAgent(brand: BrandInput, agent: unknown) {
  const { checks } = brand.agent
  const checked = checkBrand({ ...brand, agent: { ...(agent as object), ...(checks ? { checks } : {}) } })
  if (checked.ok) return { ok: true, agent: checked.settings.agent } as const
  const findings = checked.findings.map(({ path, reason, ...rest }) => ({
    ...rest,
    path: path[0] === 'agent' ? path.slice(1) : path,
    reason: reason.replaceAll('agent.', ''),
  }))
  return { ok: false, findings } as const
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}

/** A secret is given when a draft is published: nothing must look as if it were kept with it. */
function findSecrets(agent: WrittenAgentSettings): Finding[] {
  const reason = 'is no part of a draft: secrets are given when it is published'
  return listSecretSettings(agent).flatMap(({ path, value }) =>
    value === undefined ? [] : [{ path, reason }],
  )
}

/** Deletes a Brand's oldest drafts beyond those that are kept. What was published stays. */
async function pruneDrafts(transaction: Transaction, brandId: string): Promise<void> {
  const drafts = { brandId, published: false }
  const surplus = await transaction.agentVersion.findFirst({
    where: drafts,
    select: { number: true },
    orderBy: { number: 'desc' },
    skip: KEPT_DRAFTS,
  })
  if (!surplus) return
  await transaction.agentVersion.deleteMany({ where: { ...drafts, number: { lte: surplus.number } } })
}

/**
 * Saves a draft of a Brand's agent: a version after that which was edited. Of a Brand's drafts the last
 * {@link KEPT_DRAFTS} are kept.
 *
 * @param base the version that was edited
 * @param change makes the new settings of those of that version; they are checked here
 * @throws ForbiddenError; StaleEditError where somebody else has saved one meanwhile
 */
export async function saveAgentDraft(
  { viewer, actor }: Editor,
  { brandId, base }: { brandId: string; base: number },
  change: (agent: BrandInput['agent']) => unknown,
): Promise<DraftSaved> {
  assertMay(viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(viewer, brandId)
  if (draft.number !== base) throw new StaleEditError('The agent was changed')
  const checked = checkAgent(draft.brand.settings, change(draft.agent))
  const findings = checked.ok ? findSecrets(checked.agent) : checked.findings
  if (!checked.ok || findings.length > 0) return { ok: false, findings: [...findings] }
  const number = base + 1
  const row = {
    brandId,
    number,
    published: false,
    settings: toVersionSettings(checked.agent),
    savedBy: actor.name,
  }
  try {
    await prisma().$transaction(async (transaction) => {
      await transaction.agentVersion.create({ data: row })
      await pruneDrafts(transaction, brandId)
      const subject = `${draft.brand.settings.name} (${brandId}): version ${number}`
      await appendAudit(transaction, [{ actor, brandId, action: 'agent-draft.create', subject }])
    })
  } catch (error) {
    if (isTaken(error)) throw new StaleEditError('The agent was changed')
    throw error
  }
  return { ok: true, number }
}

/** Makes an old version the draft that is edited. @throws as {@link saveAgentDraft}; ForbiddenError where there is none */
export async function restoreAgentVersion(
  editor: Editor,
  { brandId, base, number }: { brandId: string; base: number; number: number },
): Promise<DraftSaved> {
  assertMay(editor.viewer, 'brands.write', brandId)
  const { settings } = await getAgentVersion(editor.viewer, brandId, number)
  return saveAgentDraft(editor, { brandId, base }, () => settings)
}
