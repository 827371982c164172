import { z } from 'zod'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { type StandIn, standInSchema } from '#lib/agents/checks/schema.ts'
import { standInApi } from '#lib/agents/checks/stand-in.ts'
import { type RehearsedTurn, rehearseTurn } from '#lib/agents/rehearsal.ts'
import { MAX_VARIABLES } from '#lib/agents/state.ts'
import { checkAgent, getAgentDraft } from './agent-drafts.ts'
import { toRehearsed } from './publish-agent.ts'
import { toVersionSettings } from './published-agents.ts'

const text = z.string().max(32_768)

/** A conversation with a draft until now, as the browser keeps it: it is stored nowhere else. */
export const triedPastSchema = z.strictObject({
  turns: z.array(z.strictObject({ text, reply: text })).max(100),
  state: z
    .record(z.string().max(64), z.union([z.string().max(1_000), z.number(), z.boolean()]))
    .refine((state) => Object.keys(state).length <= MAX_VARIABLES),
})

/** What somebody says to a draft, as whom, and what stands in for the Brand's API. */
export const triedTurnSchema = z.object({
  text: text.refine((said) => said.trim() !== '', 'is required'),
  past: triedPastSchema,
  /** Undefined: there is no delegation token. */
  user: z.object({ id: z.string().min(1).max(255), scopes: z.array(z.string()).max(200) }).optional(),
  answers: z.record(z.string(), standInSchema),
  apiKey: z.string().max(4_096).optional(),
})

export type TriedTurn = z.infer<typeof triedTurnSchema>

/**
 * Runs one turn of the draft of a Brand's agent, for somebody who edits it. The Brand's API is not called.
 *
 * @returns what came of it; undefined where the draft no longer fits its Brand
 * @throws ForbiddenError, TooOftenError
 */
export async function tryAgent(
  viewer: Viewer,
  brandId: string,
  { text: said, past, user, answers, apiKey }: TriedTurn,
): Promise<RehearsedTurn | undefined> {
  assertMay(viewer, 'brands.write', brandId)
  await takeTrial(viewer, 'turn')
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) return undefined
  const settings = toVersionSettings(checked.agent)
  const rehearsed = toRehearsed(draft, settings, apiKey === undefined ? {} : { 'llm.apiKey': apiKey })
  const callApi = standInApi(answers as Record<string, StandIn>)
  const asUser = user && { id: user.id, scopes: new Set(user.scopes) }
  return rehearseTurn({ ...rehearsed, user: asUser, callApi }, past, said)
}
