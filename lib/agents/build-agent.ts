import type { Agent } from './agent.ts'
import type { AgentSettings, ToolSettings } from './schema.ts'
import { buildScriptedAgent } from './scripted.ts'

const drivers = { scripted: buildScriptedAgent }

/**
 * A Brand's agent from its settings, compiled once and ready for any number of turns.
 *
 * @param settings valid under `agentSchema`
 * @param tools what it may call
 */
export function buildAgent(settings: AgentSettings, tools: readonly ToolSettings[]): Agent {
  return drivers[settings.driver](settings, tools)
}
