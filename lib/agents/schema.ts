import { z } from 'zod'
import { checksSchema } from './checks/schema.ts'
import { llmAgentSchema, writtenLlmAgentSchema } from './llm-schema.ts'
import { scriptedAgentSchema, writtenScriptedAgentSchema } from './scripted-schema.ts'
import { toolSchema } from './tools/schema.ts'
import { webhookAgentSchema } from './webhook-schema.ts'

// Whether this machine may be reached was decided when the settings were written, and is again at each call.
const stored = { allowLoopback: true }

/** What is stored of a Brand's agent, beside its tools and its secrets. */
export const agentSchema = z.discriminatedUnion('driver', [
  scriptedAgentSchema,
  llmAgentSchema(stored),
  webhookAgentSchema(stored),
])

// Whether they may reach a private network, the Brand's other settings say.
function toolsSchema(options: { allowLoopback: boolean }) {
  return z
    .array(toolSchema({ ...options, allowPrivate: true }))
    .max(200)
    .default([])
}

/** A Brand's agent as a draft has it: its checks are the Brand's, its secrets are given when it is published. */
export function agentDraftSchema(options: { allowLoopback: boolean }) {
  const tools = toolsSchema(options)
  return z.discriminatedUnion('driver', [
    writtenScriptedAgentSchema.extend({ tools }),
    llmAgentSchema(options).extend({ tools }),
    webhookAgentSchema(options).extend({ tools }),
  ])
}

/** A Brand's agent as the provision file has it. */
export function agentWithToolsSchema(options: { allowLoopback: boolean }) {
  const tools = toolsSchema(options)
  return z.discriminatedUnion('driver', [
    writtenScriptedAgentSchema.extend({ tools, checks: checksSchema }),
    writtenLlmAgentSchema(options).extend({ tools, checks: checksSchema }),
    webhookAgentSchema(options).extend({ tools, checks: checksSchema }),
  ])
}

export type AgentSettings = z.infer<typeof agentSchema>
export type WrittenAgentSettings = z.infer<ReturnType<typeof agentWithToolsSchema>>

/** What is stored of an agent's settings with the Brand: tools, checks and secrets have rows of their own. */
export function toAgentColumn(agent: WrittenAgentSettings): AgentSettings {
  const { tools: _tools, checks: _checks, ...settings } = agent
  if (settings.driver !== 'llm') return settings
  const { apiKey: _apiKey, ...column } = settings
  return column
}
