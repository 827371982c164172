import type { WrittenAgentSettings } from './schema.ts'

/** The `name` under which the key of a model's endpoint is stored. */
export const LLM_API_KEY = 'llm.apiKey'

/** A secret that an agent's settings have a place for. */
export type SecretSetting = {
  /** Unique at its Brand. */
  name: string
  /** Where it stands in the agent's settings. */
  path: readonly (string | number)[]
  /** The one origin that it may be sent to. */
  origin: string
  /** As it is written: undefined keeps what is stored, `null` takes it away. */
  value: string | null | undefined
}

/** The secrets that belong to an agent's settings. What is stored under other names belongs to nothing any more. */
export function listSecretSettings(agent: WrittenAgentSettings): SecretSetting[] {
  if (agent.driver !== 'llm') return []
  const { origin } = new URL(agent.endpoint)
  return [{ name: LLM_API_KEY, path: ['apiKey'], origin, value: agent.apiKey }]
}
