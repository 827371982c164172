import { z } from 'zod'
import type { Agent } from '#lib/agents/agent.ts'
import { buildAgent } from '#lib/agents/build-agent.ts'
import { type AgentSettings, agentSchema } from '#lib/agents/schema.ts'
import { storedToolSchema, type ToolSettings } from '#lib/agents/tools/schema.ts'
import { surroundingsOf } from './agent-of.ts'
import type { BrandInput } from './schema.ts'

const toolsSchema = z.object({ tools: z.array(storedToolSchema).default([]) })

/** An agent's settings as a version of it keeps them. @throws when they are none any more */
export function readVersionSettings(settings: unknown): { agent: AgentSettings; tools: ToolSettings[] } {
  const { tools } = toolsSchema.parse(settings)
  const { tools: _tools, ...agent } = settings as Record<string, unknown>
  return { agent: agentSchema.parse(agent), tools }
}

/**
 * The agent of a version, for somebody who tries it.
 *
 * @param brand as it is now: which scopes it defines, and where its tools may reach
 * @throws when its settings are none any more
 */
export function buildVersionAgent(
  settings: unknown,
  brand: Pick<BrandInput, 'delegation' | 'privateNetworks'>,
): Agent {
  const { agent, tools } = readVersionSettings(settings)
  return buildAgent(agent, tools, surroundingsOf(brand))
}
