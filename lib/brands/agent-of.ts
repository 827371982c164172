import type { Agent } from '#lib/agents/agent.ts'
import { buildAgent } from '#lib/agents/build-agent.ts'
import type { Brand } from './brand.ts'

/** What an agent must know of its Brand: which scopes it defines, and whether its tools may reach private networks. */
export function surroundingsOf({
  delegation,
  privateNetworks = false,
}: {
  delegation?: { scopes: readonly { id: string }[] } | undefined
  privateNetworks?: boolean | undefined
}): { scopes: string[]; allowPrivate: boolean } {
  return { scopes: delegation?.scopes.map(({ id }) => id) ?? [], allowPrivate: privateNetworks }
}

const agents = new WeakMap<Brand, Agent>()

/** A Brand's agent, built once for as long as the Brand stays as it is. */
export function agentOf(brand: Brand): Agent {
  const known = agents.get(brand)
  if (known) return known
  const agent = buildAgent(brand.agent, brand.tools, surroundingsOf(brand))
  agents.set(brand, agent)
  return agent
}
