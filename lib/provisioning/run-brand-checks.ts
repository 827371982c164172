import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#lib/access/audit.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { listSecretSettings } from '#lib/agents/agent-secrets.ts'
import { type Checked, type CheckResult, runChecks } from '#lib/agents/checks/run-checks.ts'
import { type Check, checksSchema } from '#lib/agents/checks/schema.ts'
import { findAgentSecret } from '#lib/agents/stored-secrets.ts'
import { buildVersionAgent } from '#lib/brands/draft-agent.ts'
import type { BrandInput, BrandSettings } from '#lib/brands/schema.ts'
import { checkBrand } from './check-brand.ts'
import type { Finding } from './fault.ts'
import { noteRehearsal } from './note-rehearsal.ts'
import { toVersionSettings } from './published-agents.ts'

/** By their names. `null`: there is none, whatever is stored. */
export type Secrets = Readonly<Record<string, string | null>>

/** Who wants checks to run, for the audit log; how often a console user wants it is limited. */
type Asker = { actor: Actor; viewer?: Viewer }

/** A Brand whose agent is tried. */
type RehearsedBrand = { id: string; settings: BrandInput }

/** A Brand's checks, as they are stored. */
export function checksOf({ agent }: BrandInput): Check[] {
  return checksSchema.parse(agent.checks)
}

/**
 * An agent as it would be at its Brand, for somebody who tries it.
 *
 * @param agent as a version keeps it
 * @param secrets stand for those that are stored
 */
export function toRehearsed(
  { id, settings }: RehearsedBrand,
  agent: unknown,
  secrets: Secrets = {},
): Checked {
  return {
    brandId: id,
    agent: buildVersionAgent(agent, settings),
    secret: async (name, url) =>
      secrets[name] === undefined ? findAgentSecret(id, name, url) : (secrets[name] ?? undefined),
  }
}

/**
 * Runs a Brand's checks against an agent.
 *
 * @param agent as a version keeps it
 * @param options.secrets stand for those that are stored
 * @param options.checks left out: those of the Brand's settings
 * @throws TooOftenError
 */
export async function runBrandChecks(
  { actor, viewer }: Asker,
  brand: RehearsedBrand,
  agent: unknown,
  { secrets, checks = checksOf(brand.settings) }: { secrets?: Secrets; checks?: readonly Check[] } = {},
): Promise<CheckResult[]> {
  if (checks.length === 0) return []
  if (viewer) await takeTrial(viewer, 'checks')
  await noteRehearsal(actor, { id: brand.id, name: brand.settings.name }, agent, { by: 'checks' })
  return runChecks(toRehearsed(brand, agent, secrets), checks)
}

function isSameAgent(stored: BrandInput, agent: unknown): boolean {
  const before = checkBrand(stored)
  return before.ok && isDeepStrictEqual(toVersionSettings(before.settings.agent), agent)
}

/**
 * Where a Brand's agent is changed without a draft: the checks that are stored must pass, whatever becomes of them by the same
 * change. They can be overridden only by publishing a draft.
 *
 * @param brand its settings as they are stored
 * @param changed what they are to be
 * @throws TooOftenError
 */
export async function findFailedChecks(
  asker: Asker,
  brand: RehearsedBrand,
  changed: BrandSettings,
): Promise<Finding[]> {
  const checks = checksOf(brand.settings)
  const agent = toVersionSettings(changed.agent)
  if (checks.length === 0 || isSameAgent(brand.settings, agent)) return []
  const given = listSecretSettings(changed.agent).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const options = { checks, secrets: Object.fromEntries(given) }
  const results = await runBrandChecks(asker, { id: brand.id, settings: changed }, agent, options)
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name)
  if (failed.length === 0) return []
  const reason = `does not pass the Brand's checks: ${failed.join(', ')}. Publish a draft to override them`
  return [{ path: ['agent'], reason }]
}
