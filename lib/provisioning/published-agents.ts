import { toAgentColumn, type WrittenAgentSettings } from '#lib/agents/schema.ts'
import { withoutSecret } from '#lib/agents/tools/schema.ts'
import type { BrandSettings } from '#lib/brands/schema.ts'
import { type Step, type Transaction, toJson } from './change.ts'
import { StaleEditError } from './stale-edit.ts'

/** An agent as a version keeps it: without its checks, which are the Brand's whatever its agent is, and its secrets. */
export function toVersionSettings(agent: WrittenAgentSettings) {
  return toJson({ ...toAgentColumn(agent), tools: agent.tools.map(withoutSecret) })
}

function changesAgent({ change }: Step): boolean {
  if (change.kind === 'tool') return true
  if (change.kind !== 'brand') return false
  return change.action === 'create' || (change.fields ?? []).some(({ field }) => /^agent\b/.test(field))
}

/** A draft that becomes the agent that answers: the last version of its Brand's agent, as somebody looked at it. */
export type PublishedDraft = { brandId: string; number: number }

/**
 * Checked where nobody else publishes; who saves a draft meanwhile is after the same number, and one of the two is told.
 *
 * @throws StaleEditError where there is a later version
 */
export async function assertLastVersion(
  transaction: Transaction,
  { brandId, number }: PublishedDraft,
): Promise<void> {
  const { _max } = await transaction.agentVersion.aggregate({ where: { brandId }, _max: { number: true } })
  if ((_max.number ?? 0) !== number) throw new StaleEditError('The agent was changed')
}

/**
 * Adds to the history of Brands' agents what is published now, whoever published it and however: by the editor, the API or
 * a provision file. A draft that was published is in it even where it is no other than what answered before: it is no draft
 * any more.
 */
export async function keepPublishedAgents(
  transaction: Transaction,
  brands: readonly BrandSettings[],
  steps: readonly Step[],
  { savedBy, draft }: { savedBy: string; draft: PublishedDraft | undefined },
): Promise<void> {
  const changed = new Set([...steps.filter(changesAgent).map(({ brandId }) => brandId), draft?.brandId])
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
