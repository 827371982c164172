import { z } from 'zod'
import type { Viewer } from '#lib/access/permissions.ts'
import { listSecretSettings } from '#lib/agents/agent-secrets.ts'
import { agentDraftSchema } from '#lib/agents/schema.ts'
import { secretText } from '#lib/agents/secret-text.ts'
import { listAgentSecrets } from '#lib/agents/stored-secrets.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { config } from '#lib/platform/config.ts'
import { checkAgent, getAgentDraft, saveAgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { publishAgent } from '#lib/provisioning/publish-agent.ts'
import { brandParams as params } from '../answer-parts.ts'
import { checkResult, toCheckResult } from '../check-result.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'
import { agentCheckOperations } from './agent-checks.ts'
import { agentImportOperations } from './agent-import.ts'
import { agentVersionOperations } from './agent-versions.ts'

const of = { tag: 'Agents', at: 'brand', params } as const

/** Which secrets the agent has a place for, and for which origin one is stored. */
async function listSecrets(brandId: string, settings: BrandInput, agent: unknown) {
  const checked = checkAgent(settings, agent)
  if (!checked.ok) return []
  const stored = new Map((await listAgentSecrets(brandId)).map(({ name, origin }) => [name, origin]))
  return listSecretSettings(checked.agent).map(({ name, origin }) => ({
    name,
    origin,
    storedFor: stored.get(name) ?? null,
  }))
}

/** The agent that is edited, as it is answered. */
async function readDraft(viewer: Viewer, brandId: string) {
  const { brand, number, isDraft, agent } = await getAgentDraft(viewer, brandId)
  const secrets = await listSecrets(brandId, brand.settings, agent)
  return { body: { number, isDraft, agent, secrets }, version: number }
}

/** The agent that is edited: its draft, and how it becomes the one that answers. */
export function agentOperations(): Operation[] {
  const settings = named('AgentSettings', agentDraftSchema({ allowLoopback: config().allowLoopback }))
  const draft = named(
    'AgentDraft',
    z.object({
      number: z.number().meta({ description: 'Of the version that is edited.' }),
      isDraft: z.boolean().meta({ description: 'Whether it is otherwise than what is published.' }),
      // Not parsed: what was allowed when it was stored need not be allowed now.
      agent: z.custom<BrandInput['agent']>().meta({ of: settings }),
      secrets: z
        .array(z.object({ name: z.string(), origin: z.string(), storedFor: z.string().nullable() }))
        .meta({
          description: 'What the agent proves itself with elsewhere, and for which origin it is stored.',
        }),
    }),
  )
  return [
    operation({
      ...of,
      id: 'getAgent',
      method: 'GET',
      path: '/brands/{brandId}/agent',
      summary: 'The agent that is edited',
      description: 'The last draft; where the last version was published, that. Without checks and secrets.',
      permission: 'brands.read',
      answer: draft,
      run: ({ params: { brandId }, caller }) => readDraft(caller.viewer, brandId),
    }),
    operation({
      ...of,
      id: 'saveAgentDraft',
      method: 'PUT',
      path: '/brands/{brandId}/agent',
      summary: 'Saves a draft of a Brand’s agent',
      description: 'It answers nobody until it is published. A Brand’s last 100 drafts are kept.',
      permission: 'brands.write',
      body: settings,
      example: { driver: 'scripted', rules: [], fallback: 'A person will answer you soon.' },
      answer: draft,
      ifMatch: true,
      async run({ params: { brandId }, body, version: base, caller }) {
        const saved = await saveAgentDraft(caller, { brandId, base }, () => body)
        if (!saved.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(saved.findings) })
        return readDraft(caller.viewer, brandId)
      },
    }),
    operation({
      ...of,
      id: 'publishAgent',
      method: 'POST',
      path: '/brands/{brandId}/agent/publish',
      summary: 'Makes the draft the agent that answers, once the Brand’s checks have passed',
      description:
        'Checks that fail are answered with `checks-failed`, unless `override` is set, which the audit log keeps. `secrets`: by their names; a text is stored, `null` takes one away, what is left out stays.',
      permission: 'brands.write',
      body: named(
        'Publishing',
        z.strictObject({
          override: z.boolean().default(false),
          secrets: z.record(z.string().max(200), secretText.nullable()).default({}),
        }),
      ),
      example: { override: false },
      answer: named('PublishedAgent', z.object({ number: z.number(), checks: z.array(checkResult) })),
      ifMatch: true,
      async run({ params: { brandId }, body, version: number, caller }) {
        const published = await publishAgent(caller, { brandId, number }, body)
        if ('failed' in published)
          throw new ApiProblem('checks-failed', { failed: published.failed.map(toCheckResult) })
        if (!published.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(published.findings) })
        const { body: now, version } = await readDraft(caller.viewer, brandId)
        return { body: { number: now.number, checks: published.results.map(toCheckResult) }, version }
      },
    }),
    ...agentVersionOperations(),
    ...agentCheckOperations(),
    ...agentImportOperations(),
  ]
}
