import { toAgentColumn, type WrittenAgentSettings } from '#lib/agents/schema.ts'
import { withoutSecret } from '#lib/agents/tools/schema.ts'
import type { BrandSettings } from '#lib/brands/schema.ts'
import { type Step, type Transaction, toJson } from './change.ts'

/** An agent as a version keeps it: without its checks, which are the Brand's whatever its agent is, and its secrets. */
export function toVersionSettings(agent: WrittenAgentSettings) {
  return toJson({ ...toAgentColumn(agent), tools: agent.tools.map(withoutSecret) })
}

function changesAgent({ change }: Step): boolean {
  if (change.kind === 'tool') return true
  if (change.kind !== 'brand') return false
  return change.action === 'create' || (change.fields ?? []).some(({ field }) => /^agent\b/.test(field))
}

/**
 * Adds to the history of Brands' agents what is published now, whoever published it and however: by the editor, the API or
 * a provision file.
 */
export async function keepPublishedAgents(
  transaction: Transaction,
  brands: readonly BrandSettings[],
  steps: readonly Step[],
  savedBy: string,
): Promise<void> {
  const changed = new Set(steps.filter(changesAgent).map(({ brandId }) => brandId))
  const published = brands.filter(({ id }) => changed.has(id))
  if (published.length === 0) return
  const last = await transaction.agentVersion.groupBy({
    by: ['brandId'],
    where: { brandId: { in: published.map(({ id }) => id) } },
    _max: { number: true },
  })
  const numbers = new Map(last.map(({ brandId, _max }) => [brandId, _max.number ?? 0]))
  await transaction.agentVersion.createMany({
    data: published.map(({ id, agent }) => ({
      brandId: id,
      number: (numbers.get(id) ?? 0) + 1,
      published: true,
      settings: toVersionSettings(agent),
      savedBy,
    })),
  })
}
