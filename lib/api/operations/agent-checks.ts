import { z } from 'zod'
import type { Viewer } from '#lib/access/permissions.ts'
import { type Check, checksSchema } from '#lib/agents/checks/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { editBrand } from '#lib/provisioning/edit-brand.ts'
import { checkAgentDraft } from '#lib/provisioning/publish-agent.ts'
import { brandParams as params } from '../answer-parts.ts'
import { checkResult, toCheckResult } from '../check-result.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'

const of = { tag: 'Agents', at: 'brand', params } as const

const checks = named('Checks', z.strictObject({ data: checksSchema }))
// Not parsed: what was allowed when it was stored need not be allowed now.
const storedChecks = named('StoredChecks', z.object({ data: z.custom<Check[]>().meta({ of: checks }) }))

async function read(viewer: Viewer, brandId: string) {
  const { settings, version } = await getVisibleBrand(viewer, brandId)
  return { body: { data: (settings.agent.checks ?? []) as Check[] }, version }
}

/** Example conversations with a Brand's agent. */
export function agentCheckOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listChecks',
      method: 'GET',
      path: '/brands/{brandId}/agent/checks',
      summary: 'A Brand’s checks, in their order',
      description: 'Their version is the Brand’s.',
      permission: 'brands.read',
      answer: storedChecks,
      run: ({ params: { brandId }, caller }) => read(caller.viewer, brandId),
    }),
    operation({
      ...of,
      id: 'replaceChecks',
      method: 'PUT',
      path: '/brands/{brandId}/agent/checks',
      summary: 'Replaces a Brand’s checks',
      description: 'They are the Brand’s, whatever its agent is, and count at once.',
      permission: 'brands.write',
      body: checks,
      example: { data: [{ name: 'Greets', turns: [{ say: 'Hello', has: ['hello'] }] }] },
      answer: storedChecks,
      ifMatch: true,
      async run({ params: { brandId: id }, body, version, caller }) {
        const saved = await editBrand(caller, { id, since: new Date(version) }, (settings) => ({
          ...settings,
          agent: { ...settings.agent, checks: body.data },
        }))
        if (saved.ok) return read(caller.viewer, id)
        const findings = saved.findings.map(({ path, reason }) => {
          const [agent, list, ...rest] = path
          return { reason, path: agent === 'agent' && list === 'checks' ? ['data', ...rest] : path }
        })
        throw new ApiProblem('invalid-content', { errors: errorsOf(findings) })
      },
    }),
    operation({
      ...of,
      id: 'runChecks',
      method: 'POST',
      path: '/brands/{brandId}/agent/checks/run',
      summary: 'Runs a Brand’s checks against the agent that is edited',
      description:
        'The Brand’s API hears nothing of it; a model is really asked, and so is a bot, as one that is tried. It may take three minutes. At most ten times a minute.',
      permission: 'brands.write',
      answer: named('CheckReport', z.object({ passed: z.boolean(), data: z.array(checkResult) })),
      harmless: true,
      async run({ params: { brandId }, caller }) {
        const results = await checkAgentDraft(caller, brandId)
        const passed = results.every((result) => result.passed)
        return { body: { passed, data: results.map(toCheckResult) } }
      },
    }),
  ]
}
