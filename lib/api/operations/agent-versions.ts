import { z } from 'zod'
import { getAgentVersion, listAgentVersions } from '#lib/brands/agent-versions.ts'
import { getAgentDraft, restoreAgentVersion } from '#lib/provisioning/agent-drafts.ts'
import { compareFields } from '#lib/provisioning/change.ts'
import { anyJson, brandParams as params, time } from '../answer-parts.ts'
import { rowPage, rowPageReply } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'

const of = { tag: 'Agents', at: 'brand' } as const

const facts = { number: z.number(), published: z.boolean(), savedBy: z.string(), savedAt: time }
const listed = named('ListedAgentVersion', z.object(facts))
const version = named('AgentVersion', z.object({ ...facts, settings: anyJson }))
const difference = named(
  'AgentDifference',
  z.object({
    /** From the version to what is edited. */
    data: z.array(z.object({ field: z.string(), before: anyJson.optional(), after: anyJson.optional() })),
  }),
)

const number = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a number')
  .transform(Number)
const ofVersion = params.extend({ number })

/** The history of a Brand's agent. */
export function agentVersionOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listAgentVersions',
      method: 'GET',
      path: '/brands/{brandId}/agent/versions',
      summary: 'The history of a Brand’s agent, the latest first',
      description: 'Drafts, and whatever was published, by whomever and however.',
      permission: 'brands.read',
      params,
      query: z.object(rowPage(number)),
      answer: named('AgentVersionPage', pageOf(listed)),
      async run({ params: { brandId }, query: { cursor, limit }, caller }) {
        const page = { before: cursor, limit: limit + 1 }
        const versions = await listAgentVersions(caller.viewer, brandId, page)
        const rows = versions.slice(0, limit)
        return rowPageReply(rows, versions.length > limit ? rows.at(-1)?.number.toString() : undefined)
      },
    }),
    operation({
      ...of,
      id: 'getAgentVersion',
      method: 'GET',
      path: '/brands/{brandId}/agent/versions/{number}',
      summary: 'A version of a Brand’s agent',
      permission: 'brands.read',
      params: ofVersion,
      answer: version,
      run: async ({ params: { brandId, number: chosen }, caller }) => ({
        body: await getAgentVersion(caller.viewer, brandId, chosen),
      }),
    }),
    operation({
      ...of,
      id: 'compareAgentVersion',
      method: 'GET',
      path: '/brands/{brandId}/agent/versions/{number}/difference',
      summary: 'What is otherwise in the agent that is edited than in a version',
      permission: 'brands.read',
      params: ofVersion,
      answer: difference,
      async run({ params: { brandId, number: chosen }, caller }) {
        const { settings } = await getAgentVersion(caller.viewer, brandId, chosen)
        const { agent } = await getAgentDraft(caller.viewer, brandId)
        return { body: { data: compareFields(settings, agent) } }
      },
    }),
    operation({
      ...of,
      id: 'restoreAgentVersion',
      method: 'POST',
      path: '/brands/{brandId}/agent/versions/{number}/restore',
      summary: 'Makes an old version the draft that is edited',
      description: 'It is checked like one that is new. `If-Match`: of the agent that is edited.',
      permission: 'brands.write',
      params: ofVersion,
      answer: named('RestoredVersion', z.object({ number: z.number() })),
      ifMatch: true,
      async run({ params: { brandId, number: chosen }, version: base, caller }) {
        const restored = await restoreAgentVersion(caller, { brandId, base, number: chosen })
        if (!restored.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(restored.findings) })
        return { body: { number: restored.number }, version: restored.number }
      },
    }),
  ]
}
