import { interfaceUrl } from '#lib/brands/addresses.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { type AgentCard, buildAgentCard } from './agent-card.ts'

/** The card of settings that need not be right yet, by the function that serves it. */
export async function buildDraftCard(settings: BrandInput): Promise<AgentCard> {
  const provider = await findProvider()
  const { id, name, description, skills = [], conversation, delegation } = settings
  const streaming = conversation?.streaming ?? false
  const complete = skills.map((skill) => ({
    ...skill,
    tags: skill.tags ?? [],
    examples: skill.examples ?? [],
  }))
  return buildAgentCard(
    { id, name, description, skills: complete, streaming, delegation },
    provider?.organization ?? new URL(interfaceUrl(id)).host,
  )
}
