import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { listSecretSettings, type SecretSetting } from '#lib/agents/agent-secrets.ts'
import { type Checked, type CheckResult, runChecks } from '#lib/agents/checks/run-checks.ts'
import { type Check, checksSchema } from '#lib/agents/checks/schema.ts'
import type { WrittenAgentSettings } from '#lib/agents/schema.ts'
import { findAgentSecret } from '#lib/agents/stored-secrets.ts'
import { buildVersionAgent } from '#lib/brands/draft-agent.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { type AgentDraft, checkAgent, getAgentDraft } from './agent-drafts.ts'
import { editBrand } from './edit-brand.ts'
import type { Finding } from './fault.ts'
import { toVersionSettings } from './published-agents.ts'
import { StaleEditError } from './stale-edit.ts'

export type AgentPublished =
  | { ok: true; results: CheckResult[] }
  /** By the agent's own fields. */
  | { ok: false; findings: Finding[] }
  /** Nothing was published: these checks did not pass. */
  | { ok: false; failed: CheckResult[] }

type Secrets = Readonly<Record<string, string | null>>

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

/** A Brand's checks, as they are stored. */
export function checksOf({ agent }: BrandInput): Check[] {
  return checksSchema.parse(agent.checks)
}

/**
 * The draft as it would be, for somebody who tries it.
 *
 * @param secrets stand for those that are stored
 */
export function toRehearsed({ brand }: AgentDraft, settings: unknown, secrets: Secrets): Checked {
  return {
    brandId: brand.id,
    agent: buildVersionAgent(settings, brand.settings),
    secret: async (name, url) =>
      secrets[name] === undefined ? findAgentSecret(brand.id, name, url) : (secrets[name] ?? undefined),
  }
}

/** Runs the Brand's checks against an agent, where it has some. @throws TooOftenError */
async function runBrandChecks(
  viewer: Viewer,
  draft: AgentDraft,
  { agent, secrets }: { agent: WrittenAgentSettings; secrets: Secrets },
): Promise<CheckResult[]> {
  const checks = checksOf(draft.brand.settings)
  if (checks.length === 0) return []
  await takeTrial(viewer, 'checks')
  return runChecks(toRehearsed(draft, toVersionSettings(agent), secrets), checks)
}

/** Runs a Brand's checks against the agent that is edited. @throws ForbiddenError, StaleEditError, TooOftenError */
export async function checkAgentDraft(viewer: Viewer, brandId: string): Promise<CheckResult[]> {
  assertMay(viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) throw new StaleEditError('The draft no longer fits its Brand')
  return runBrandChecks(viewer, draft, { agent: checked.agent, secrets: {} })
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
  const results = await runBrandChecks(editor.viewer, draft, { agent, secrets })
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
    notes,
  )
  if (saved.ok) return { ok: true, results }
  const findings = saved.findings.map(({ path, ...rest }) => ({
    ...rest,
    path: path[0] === 'agent' ? path.slice(1) : path,
  }))
  return { ok: false, findings }
}
