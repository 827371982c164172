import type { TestPersonalAgent } from './personal-agents.ts'
import { buildTestProvision } from './provision.ts'

export const SCOPES = ['orders:read', 'orders:cancel', 'profile:read'] as const

/** What the tools of the agent that looks up and cancels orders call, below the origin of its API. */
function tools(api: string) {
  const args = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
  return [
    {
      name: 'list_orders',
      description: 'The orders.',
      scope: 'orders:read',
      request: { method: 'GET', url: `${api}/orders` },
    },
    {
      name: 'cancel_order',
      description: 'Cancels an order.',
      scope: 'orders:cancel',
      changes: true,
      arguments: args,
      request: { method: 'POST', url: `${api}/orders/{number}/cancel` },
    },
  ]
}

const rules = [
  {
    when: { match: 'cancel\\b.*\\b(?<number>A-\\d+)' },
    call: [
      { tool: 'list_orders', as: 'orders' },
      { tool: 'cancel_order', arguments: { number: '{{ match.number }}' }, as: 'cancelled' },
    ],
    missingScopes: 'I need permission to cancel orders.',
    reply: 'Order {{ match.number }} is cancelled. {{ cancelled.refund }}',
  },
  {
    when: { words: ['my orders'] },
    call: [{ tool: 'list_orders', as: 'orders' }],
    missingScopes: 'I need permission to look up your orders.',
    reply: '{% for o in orders.orders %}{{ o.number }}: {{ o.status }}. {% endfor %}',
  },
]

/**
 * The test provision, whose first Brand offers delegation and whose agent calls `api`; its second one does not.
 *
 * @param api the origin of the Brand's API
 * @param login the origin of the Brand's login
 */
export function buildOrderAgentProvision(
  personalAgents: readonly TestPersonalAgent[],
  { api, login = api }: { api: string; login?: string },
) {
  const provision = buildTestProvision(personalAgents)
  const [first, ...others] = provision.brands
  if (!first) throw new Error('no Brand')
  const delegation = {
    login: { url: `${login}/login`, issuer: login, jwksUri: `${login}/jwks.json` },
    scopes: SCOPES.map((id) => ({ id, description: `Allows ${id}` })),
  }
  const agent = { ...first.agent, tools: tools(api), rules: [...rules, ...first.agent.rules] }
  return { ...provision, brands: [{ ...first, delegation, agent }, ...others] }
}
