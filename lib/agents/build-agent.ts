import type { Agent } from './agent.ts'
import { buildLlmAgent } from './llm/llm-agent.ts'
import type { AgentSettings } from './schema.ts'
import { buildScriptedAgent } from './scripted.ts'
import type { ToolSettings } from './tools/schema.ts'
import { buildWebhookAgent } from './webhook/webhook-agent.ts'

/**
 * A Brand's agent from its settings, compiled once and ready for any number of turns.
 *
 * @param settings valid under `agentSchema`
 * @param tools what it may call
 * @param brand.scopes the ids that the Brand defines (§5.2)
 * @param brand.allowPrivate whether its tools may reach private networks
 */
export function buildAgent(
  settings: AgentSettings,
  tools: readonly ToolSettings[],
  brand: { scopes: readonly string[]; allowPrivate: boolean } = { scopes: [], allowPrivate: false },
): Agent {
  switch (settings.driver) {
    case 'scripted':
      return buildScriptedAgent(settings, tools, brand)
    case 'llm':
      return buildLlmAgent(settings, tools, brand)
    case 'webhook':
      return buildWebhookAgent(settings, brand.scopes)
  }
}
