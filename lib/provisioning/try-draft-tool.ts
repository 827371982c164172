import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import type { ToolArguments } from '#lib/agents/tools/argument-schema.ts'
import { withoutSecret } from '#lib/agents/tools/schema.ts'
import { type TriedTool, tryTool } from '#lib/agents/tools/try-tool.ts'
import { checkAgent, getAgentDraft } from './agent-drafts.ts'

type Asked = {
  /** The tool's name. */
  tool: string
  values: ToolArguments
  token: string | undefined
  send: boolean
}

/**
 * Tries a tool of the draft of a Brand's agent.
 *
 * @returns undefined where the draft has no such tool, or no longer fits its Brand
 * @throws ForbiddenError, TooOftenError
 */
export async function tryDraftTool(
  viewer: Viewer,
  brandId: string,
  { tool, values, token, send }: Asked,
): Promise<TriedTool | undefined> {
  assertMay(viewer, 'brands.write', brandId)
  await takeTrial(viewer, 'turn')
  const { brand, agent } = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(brand.settings, agent)
  const found = checked.ok ? checked.agent.tools.find(({ name }) => name === tool) : undefined
  if (!found) return undefined
  const allowPrivate = brand.settings.privateNetworks ?? false
  return tryTool(withoutSecret(found), values, { brandId, allowPrivate, token, send })
}
