import type { Agent } from '#lib/agents/agent.ts'
import { buildAgent } from '#lib/agents/build-agent.ts'
import type { Brand } from './brand.ts'

const agents = new WeakMap<Brand, Agent>()

/** A Brand's agent, built once for as long as the Brand stays as it is. */
export function agentOf(brand: Brand): Agent {
  const known = agents.get(brand)
  if (known) return known
  const scopes = brand.delegation?.scopes.map(({ id }) => id) ?? []
  const agent = buildAgent(brand.agent, brand.tools, { scopes, allowPrivate: brand.privateNetworks })
  agents.set(brand, agent)
  return agent
}
