import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { listSecretSettings } from '#lib/agents/agent-secrets.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { type AgentDraft, checkAgent, getAgentDraft } from './agent-drafts.ts'
import { editBrand } from './edit-brand.ts'
import type { Finding } from './fault.ts'
import { toVersionSettings } from './published-agents.ts'
import { runBrandChecks, type Secrets } from './run-brand-checks.ts'
import { StaleEditError } from './stale-edit.ts'

export type AgentPublished =
  | { ok: true; results: CheckResult[] }
  /** By the agent's own fields. */
  | { ok: false; findings: Finding[] }
  /** Nothing was published: these checks did not pass. */
  | { ok: false; failed: CheckResult[] }

function setAt(target: unknown, path: readonly (string | number)[], value: unknown): void {
  let place = target as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) place = place[step] as Record<string | number, unknown>
  place[path.at(-1) ?? ''] = value
}

/** An agent with the secrets that somebody gives for it, each where its settings have a place for it. */
function withSecrets(draft: AgentDraft, secrets: Secrets): unknown {
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) return draft.agent
  const agent = structuredClone(draft.agent)
  for (const { name, path } of listSecretSettings(checked.agent)) {
    if (secrets[name] !== undefined) setAt(agent, path, secrets[name])
  }
  return agent
}

/** Runs a Brand's checks against the agent that is edited. @throws ForbiddenError; StaleEditError where it no longer fits */
export async function checkAgentDraft(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  brandId: string,
): Promise<CheckResult[]> {
  assertMay(viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) throw new StaleEditError('The draft no longer fits its Brand')
  return runBrandChecks(actor, draft.brand, toVersionSettings(checked.agent))
}

/**
 * Makes the draft of a Brand's agent the agent that answers, once the Brand's checks have passed.
 *
 * @param target.number the draft that was looked at
 * @param target.since the version of the Brand that was looked at
 * @param options.secrets by their names: a text is stored, `null` takes one away, what is left out stays
 * @param options.override publishes though checks fail; the audit log then says which
 * @throws ForbiddenError; StaleEditError where somebody else has changed the draft or the Brand meanwhile
 */
export async function publishAgent(
  editor: { viewer: Viewer; actor: Actor },
  { brandId, number, since }: { brandId: string; number: number; since: Date },
  { secrets = {}, override = false }: { secrets?: Secrets; override?: boolean } = {},
): Promise<AgentPublished> {
  assertMay(editor.viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(editor.viewer, brandId)
  if (draft.number !== number || draft.brand.version.getTime() !== since.getTime()) {
    throw new StaleEditError('The agent was changed')
  }
  const written = withSecrets(draft, secrets)
  const checked = checkAgent(draft.brand.settings, written)
  if (!checked.ok) return { ok: false, findings: checked.findings }
  const results = await runBrandChecks(editor.actor, draft.brand, toVersionSettings(checked.agent), {
    secrets,
  })
  const failed = results.filter(({ passed }) => !passed)
  if (failed.length > 0 && !override) return { ok: false, failed }
  const notes: AuditEntry[] =
    failed.length === 0
      ? []
      : [
          {
            actor: editor.actor,
            brandId,
            action: 'agent.publish-despite-checks',
            subject: `${draft.brand.settings.name} (${brandId}): version ${number}`,
            after: { failed: failed.map(({ name }) => name) },
          },
        ]
  const saved = await editBrand(
    editor,
    { id: brandId, since },
    (settings) => ({
      ...settings,
      agent: { ...(written as object), checks: settings.agent.checks ?? [] },
    }),
    { notes, draft: { brandId, number } },
  )
  if (saved.ok) return { ok: true, results }
  const findings = saved.findings.map(({ path, ...rest }) => ({
    ...rest,
    path: path[0] === 'agent' ? path.slice(1) : path,
  }))
  return { ok: false, findings }
}
