import { z } from 'zod'
import { countAgentUse } from '#lib/identity/agent-detail.ts'
import { fetchConfiguration } from '#lib/identity/discover.ts'
import { explainToken } from '#lib/identity/explain-token.ts'
import { inspectJwks } from '#lib/identity/inspect-jwks.ts'
import { findHeldKeys } from '#lib/identity/jwks.ts'
import { getAgentDetail } from '#lib/provisioning/edit-personal-agent.ts'
import { jwksReport } from '../jwks-report.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'

const lookedUp = named(
  'LookedUpIssuer',
  z.union([
    z.object({ issuer: z.string(), name: z.string(), jwksUri: z.string(), jwks: jwksReport }),
    z.object({ fault: z.string(), status: z.number().optional(), found: z.string().optional() }),
  ]),
)
const explained = named(
  'ExplainedToken',
  z.object({
    rules: z.array(
      z.object({
        rule: z.string(),
        outcome: z.enum(['pass', 'fail', 'not_reached']),
        reason: z.string().optional(),
        found: z.string().optional(),
        expected: z.string().optional(),
        secondsAgo: z.number().optional(),
      }),
    ),
    header: z.record(z.string(), z.unknown()).readonly(),
    claims: z.record(z.string(), z.unknown()).readonly(),
    personalAgentId: z.string().optional(),
    kids: z.array(z.string()),
  }),
)

const params = z.object({ personalAgentId: z.uuid() })
const of = { tag: 'Personal agents', at: 'provider' } as const

/** What looks at personal agents without changing them. */
export function personalAgentCheckOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'testPersonalAgentConnection',
      method: 'POST',
      path: '/personal-agents/{personalAgentId}/test-connection',
      summary: 'Fetches a personal agent’s JWKS now, and looks at each key',
      description: '`held`: the `kid`s that this process verifies requests with.',
      permission: 'personal-agents.read',
      params,
      answer: named('ConnectionTest', z.object({ jwks: jwksReport, held: z.array(z.string()) })),
      harmless: true,
      async run({ params: { personalAgentId }, caller }) {
        const agent = await getAgentDetail(caller.viewer, personalAgentId)
        const held = findHeldKeys(agent)?.kids ?? []
        return { body: { jwks: await inspectJwks(agent.jwksUri), held: held.map((kid) => kid ?? '') } }
      },
    }),
    operation({
      ...of,
      id: 'checkToken',
      method: 'POST',
      path: '/token-checks',
      summary: 'Checks a personal agent’s token by every rule of §3.2',
      description: 'The token is neither stored nor logged.',
      permission: 'tokens.check',
      body: named('TokenCheck', z.strictObject({ token: z.string().trim().min(1).max(20_000) })),
      answer: explained,
      harmless: true,
      run: async ({ body, caller }) => ({ body: await explainToken(caller.viewer, body.token) }),
    }),
    operation({
      ...of,
      id: 'lookUpIssuer',
      method: 'POST',
      path: '/personal-agents/look-up',
      summary: 'Fetches an issuer’s OpenID configuration and its JWKS now',
      description: 'Nothing is stored: register what was found, if it is right.',
      permission: 'personal-agents.write',
      body: named('IssuerLookUp', z.strictObject({ issuer: z.string().trim().min(1).max(2048) })),
      example: { issuer: 'https://assistant.example' },
      answer: lookedUp,
      harmless: true,
      async run({ body: { issuer } }) {
        const found = await fetchConfiguration(issuer)
        if ('fault' in found) return { body: found }
        return { body: { ...found, jwks: await inspectJwks(found.jwksUri) } }
      },
    }),
    operation({
      ...of,
      id: 'getPersonalAgentUse',
      method: 'GET',
      path: '/personal-agents/{personalAgentId}/use',
      summary: 'What hangs on a personal agent',
      description: 'Counts end at 1,001.',
      permission: 'personal-agents.read',
      params,
      answer: named('PersonalAgentUse', z.object({ openConversations: z.number(), liveGrants: z.number() })),
      async run({ params: { personalAgentId }, caller }) {
        const { id } = await getAgentDetail(caller.viewer, personalAgentId)
        return { body: await countAgentUse(caller.viewer, id) }
      },
    }),
  ]
}
