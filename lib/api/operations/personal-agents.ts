import { z } from 'zod'
import type { Actor } from '#lib/access/audit.ts'
import type { AgentDetail } from '#lib/identity/agent-detail.ts'
import { agentListSchema } from '#lib/identity/agent-list-schema.ts'
import { listAgents } from '#lib/identity/list-agents.ts'
import { setPersonalAgentEnabled } from '#lib/identity/registry-edits.ts'
import { limitOverridesSchema, personalAgentSchema } from '#lib/identity/schema.ts'
import { config } from '#lib/platform/config.ts'
import {
  editPersonalAgent,
  getAgentDetail,
  registerPersonalAgent,
} from '#lib/provisioning/edit-personal-agent.ts'
import { time } from '../answer-parts.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem } from '../problem.ts'
import { personalAgentCheckOperations } from './personal-agent-checks.ts'

const facts = {
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  enabled: z.boolean(),
  origin: z.enum(['registered', 'discovered']),
  createdAt: time,
}
const listed = named('ListedPersonalAgent', z.object({ ...facts, failing: z.boolean() }))
const personalAgent = named(
  'PersonalAgent',
  z.object({ ...facts, jwksUri: z.string(), limits: limitOverridesSchema.optional(), updatedAt: time }),
)
const { before: _before, after: _after, ...filter } = strictFilter(agentListSchema).shape
const params = z.object({ personalAgentId: z.uuid() })
const of = { tag: 'Personal agents', at: 'provider' } as const

const toReply = (detail: AgentDetail) => ({ body: detail, version: detail.updatedAt })

function switching(enabled: boolean): Operation {
  return operation({
    ...of,
    id: enabled ? 'enablePersonalAgent' : 'disablePersonalAgent',
    method: 'POST',
    path: `/personal-agents/{personalAgentId}/${enabled ? 'enable' : 'disable'}`,
    summary: enabled ? 'Lets a personal agent in' : 'Shuts a personal agent out',
    description: 'Every process knows it within a second.',
    permission: 'personal-agents.write',
    params,
    answer: personalAgent,
    async run({ params: { personalAgentId }, caller }) {
      await setPersonalAgentEnabled(personalAgentId, enabled, caller.actor satisfies Actor)
      return toReply(await getAgentDetail(caller.viewer, personalAgentId))
    },
  })
}

export function personalAgentOperations(): Operation[] {
  const settings = named(
    'PersonalAgentSettings',
    personalAgentSchema({ allowLoopback: config().allowLoopback }),
  )
  return [
    operation({
      ...of,
      id: 'listPersonalAgents',
      method: 'GET',
      path: '/personal-agents',
      summary: 'Personal agents',
      permission: 'personal-agents.read',
      query: z.object({ ...filter, ...rowPage(z.uuid()) }),
      answer: named('PersonalAgentPage', pageOf(listed)),
      async run({ query: { cursor, ...query }, caller }) {
        const page = await listAgents(caller.viewer, { ...query, after: cursor })
        return rowPageReply(page.rows, page.after)
      },
    }),
    operation({
      ...of,
      id: 'registerPersonalAgent',
      method: 'POST',
      path: '/personal-agents',
      summary: 'Registers a personal agent',
      permission: 'personal-agents.write',
      body: settings,
      example: {
        name: 'Example Assistant',
        issuer: 'https://assistant.example',
        jwksUri: 'https://assistant.example/.well-known/jwks.json',
      },
      answer: personalAgent,
      status: 201,
      async run({ body, caller }) {
        const made = await registerPersonalAgent(caller, body)
        if (!made.ok) throw new ApiProblem('already-exists', { id: made.known.id })
        const detail = await getAgentDetail(caller.viewer, made.id)
        return { ...toReply(detail), location: `/personal-agents/${made.id}` }
      },
    }),
    operation({
      ...of,
      id: 'getPersonalAgent',
      method: 'GET',
      path: '/personal-agents/{personalAgentId}',
      summary: 'A personal agent',
      permission: 'personal-agents.read',
      params,
      answer: personalAgent,
      run: async ({ params: { personalAgentId }, caller }) =>
        toReply(await getAgentDetail(caller.viewer, personalAgentId)),
    }),
    operation({
      ...of,
      id: 'replacePersonalAgent',
      method: 'PUT',
      path: '/personal-agents/{personalAgentId}',
      summary: 'Replaces a personal agent’s settings',
      description: 'Its issuer can’t change. A discovered one becomes registered.',
      permission: 'personal-agents.write',
      params,
      body: settings,
      answer: personalAgent,
      ifMatch: true,
      async run({ params: { personalAgentId: id }, body, version, caller }) {
        const { issuer } = await getAgentDetail(caller.viewer, id)
        if (issuer !== body.issuer) {
          const errors = [{ path: 'issuer', reason: 'can’t change: register another personal agent' }]
          throw new ApiProblem('invalid-content', { errors })
        }
        return toReply(await editPersonalAgent(caller, { id, since: new Date(version) }, body))
      },
    }),
    switching(true),
    switching(false),
    ...personalAgentCheckOperations(),
  ]
}
