import type { Agent } from './agent.ts'
import { buildLlmAgent } from './llm/llm-agent.ts'
import type { AgentSettings } from './schema.ts'
import { buildScriptedAgent } from './scripted.ts'
import type { ToolSettings } from './tools/schema.ts'

/**
 * A Brand's agent from its settings, compiled once and ready for any number of turns.
 *
 * @param settings valid under `agentSchema`
 * @param tools what it may call
 * @param network.allowPrivate whether its tools may reach private networks
 */
export function buildAgent(
  settings: AgentSettings,
  tools: readonly ToolSettings[],
  network = { allowPrivate: false },
): Agent {
  switch (settings.driver) {
    case 'scripted':
      return buildScriptedAgent(settings, tools, network)
    case 'llm':
      return buildLlmAgent(settings, tools, network)
  }
}
