import type { Agent } from './agent.ts'
import type { AgentSettings } from './schema.ts'
import { buildScriptedAgent } from './scripted.ts'

const drivers = { scripted: buildScriptedAgent }

/**
 * A Brand's agent from its settings, compiled once and ready for any number of turns.
 *
 * @param settings valid under `agentSchema`
 */
export function buildAgent(settings: AgentSettings): Agent {
  return drivers[settings.driver](settings)
}
