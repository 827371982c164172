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

/** The `name` under which the value of a tool's header is stored. */
export function toolHeaderSecret(toolName: string): string {
  return `tool.${toolName}.header`
}

function listToolSecrets({ tools }: WrittenAgentSettings): SecretSetting[] {
  return tools.flatMap(({ name, request: { header, url } }, index) => {
    if (!header) return []
    const path = ['tools', index, 'request', 'header', 'value']
    return [{ name: toolHeaderSecret(name), path, origin: new URL(url).origin, value: header.value }]
  })
}

/** The secrets that belong to an agent's settings. What is stored under other names belongs to nothing any more. */
export function listSecretSettings(agent: WrittenAgentSettings): SecretSetting[] {
  const ofTools = listToolSecrets(agent)
  if (agent.driver !== 'llm') return ofTools
  const { origin } = new URL(agent.endpoint)
  return [{ name: LLM_API_KEY, path: ['apiKey'], origin, value: agent.apiKey }, ...ofTools]
}
