import type { Actor } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { listSecretSettings, type SecretSetting } from '#lib/agents/agent-secrets.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { type AgentDraft, checkAgent, getAgentDraft } from './agent-drafts.ts'
import { editBrand } from './edit-brand.ts'
import type { Finding } from './fault.ts'
import { noteDespiteChecks, notePublished } from './note-publishing.ts'
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
function withSecrets({ agent }: AgentDraft, settings: readonly SecretSetting[], secrets: Secrets): unknown {
  const written = structuredClone(agent)
  for (const { name, path } of settings) {
    if (secrets[name] !== undefined) setAt(written, path, secrets[name])
  }
  return written
}

/** The draft with the secrets that are given, checked; or what is wrong with it, or with them. */
function readWritten(draft: AgentDraft, secrets: Secrets) {
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) return checked
  const settings = listSecretSettings(checked.agent)
  const known = new Set(settings.map(({ name }) => name))
  const unknown = Object.keys(secrets).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const reason = 'is no secret that this agent has a place for'
    return { ok: false, findings: unknown.map((name) => ({ path: ['secrets', name], reason })) } as const
  }
  const written = withSecrets(draft, settings, secrets)
  const whole = checkAgent(draft.brand.settings, written)
  return whole.ok ? ({ ok: true, written, agent: whole.agent } as const) : whole
}

/** Runs a Brand's checks against the agent that is edited. @throws ForbiddenError, StaleEditError, TooOftenError */
export async function checkAgentDraft(
  asker: { viewer: Viewer; actor: Actor },
  brandId: string,
): Promise<CheckResult[]> {
  const { viewer } = asker
  assertMay(viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) throw new StaleEditError('The draft no longer fits its Brand')
  return runBrandChecks(asker, draft.brand, toVersionSettings(checked.agent))
}

/**
 * Makes the draft of a Brand's agent the agent that answers, once the Brand's checks have passed.
 *
 * @param target.number the draft that was looked at
 * @param target.since the version of the Brand that was looked at; left out: as it is when this begins
 * @param options.secrets by their names: a text is stored, `null` takes one away, what is left out stays
 * @param options.override publishes though checks fail; the audit log then says which
 * @throws ForbiddenError; TooOftenError; StaleEditError where somebody else has changed the draft or the Brand meanwhile
 */
export async function publishAgent(
  editor: { viewer: Viewer; actor: Actor },
  { brandId, number, since: looked }: { brandId: string; number: number; since?: Date },
  { secrets = {}, override = false }: { secrets?: Secrets; override?: boolean } = {},
): Promise<AgentPublished> {
  assertMay(editor.viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(editor.viewer, brandId)
  const since = looked ?? draft.brand.version
  if (draft.number !== number || draft.brand.version.getTime() !== since.getTime()) {
    throw new StaleEditError('The agent was changed')
  }
  const checked = readWritten(draft, secrets)
  if (!checked.ok) return { ok: false, findings: [...checked.findings] }
  const { written, agent } = checked
  const results = await runBrandChecks(editor, draft.brand, toVersionSettings(agent), { secrets })
  const failed = results.filter(({ passed }) => !passed)
  if (failed.length > 0 && !override) return { ok: false, failed }
  // The version that this makes: what is published comes right after the draft.
  const version = number + 1
  const brand = { id: brandId, name: draft.brand.settings.name }
  const names = failed.map(({ name }) => name)
  const notes =
    names.length > 0
      ? noteDespiteChecks(editor.actor, brand, { failed: names, version })
      : [notePublished(editor.actor, brand, version)]
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
