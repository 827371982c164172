import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#lib/access/audit.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { listSecretSettings } from '#lib/agents/agent-secrets.ts'
import { type Checked, type CheckResult, runChecks } from '#lib/agents/checks/run-checks.ts'
import { type Check, checksSchema } from '#lib/agents/checks/schema.ts'
import { findAgentSecret } from '#lib/agents/stored-secrets.ts'
import { mayChange } from '#lib/agents/tools/schema.ts'
import { buildVersionAgent } from '#lib/brands/draft-agent.ts'
import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
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

/** An agent to be compared: what its tools leave out is as it is stored. */
const written = ({ agent }: BrandSettings) =>
  toVersionSettings({
    ...agent,
    tools: agent.tools.map((tool) => ({ ...tool, changes: mayChange(tool) })),
  })

function isSameAgent(stored: BrandInput, changed: BrandSettings): boolean {
  const before = checkBrand(stored)
  return before.ok && isDeepStrictEqual(written(before.settings), written(changed))
}

/** A Brand's bot is called with a key that is published for it: before there is one, its checks can't be run. */
const canBeChecked = ({ agent }: BrandSettings, before: BrandInput | undefined): boolean =>
  agent.driver !== 'webhook' || (before !== undefined && hasSigningKeys(before))

/** What a changed agent makes of the checks that it should pass. */
export type JudgedAgent = {
  failed: readonly CheckResult[]
  /** The names of those that can't be run yet. */
  notRun: readonly string[]
}

/**
 * Runs the checks of a Brand whose agent is changed without a draft, with the secrets that the change brings along.
 *
 * @param before its settings as they are stored; undefined: it is made by the change
 * @param changed what they are to be
 * @param options.checks what the agent must pass
 * @param options.onRun is called before they run
 * @returns nothing of note where the agent stays as it is
 * @throws TooOftenError
 */
export async function judgeAgent(
  asker: Asker,
  { before, changed }: { before: BrandInput | undefined; changed: BrandSettings },
  { checks, onRun }: { checks: readonly Check[]; onRun?: () => void },
): Promise<JudgedAgent> {
  if (checks.length === 0 || (before && isSameAgent(before, changed))) return { failed: [], notRun: [] }
  if (!canBeChecked(changed, before)) return { failed: [], notRun: checks.map(({ name }) => name) }
  onRun?.()
  const given = listSecretSettings(changed.agent).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const brand = { id: changed.id, settings: changed }
  const agent = toVersionSettings(changed.agent)
  const results = await runBrandChecks(asker, brand, agent, { checks, secrets: Object.fromEntries(given) })
  return { failed: results.filter(({ passed }) => !passed), notRun: [] }
}

/** Why a check did not pass: what is wrong first. */
export function describeUnpassed({ turns }: CheckResult): string {
  const faulty = turns.find(({ faults }) => faults.length > 0)
  return faulty ? `at “${faulty.say}” ${faulty.faults[0]}` : 'there was no time to run it'
}

/** What people are told of them, at the agent. @param advice what to do about it, if anything but mending it */
export function describeFailedChecks(failed: readonly CheckResult[], advice?: string): Finding[] {
  if (failed.length === 0) return []
  const names = failed.map(({ name }) => name).join(', ')
  const reason = `does not pass the Brand's checks: ${names}${advice === undefined ? '' : `. ${advice}`}`
  return [{ path: ['agent'], reason }]
}
