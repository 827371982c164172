import { z } from 'zod'
import type { Actor } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { type StandIn, standInSchema } from '#lib/agents/checks/schema.ts'
import { standInApi } from '#lib/agents/checks/stand-in.ts'
import { type RehearsedTurn, rehearseTurn } from '#lib/agents/rehearsal.ts'
import { secretText } from '#lib/agents/secret-text.ts'
import { MAX_VARIABLES } from '#lib/agents/state.ts'
import { checkAgent, getAgentDraft } from './agent-drafts.ts'
import { noteRehearsal } from './note-rehearsal.ts'
import { toVersionSettings } from './published-agents.ts'
import { toRehearsed } from './run-brand-checks.ts'

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
  apiKey: secretText.optional(),
})

export type TriedTurn = z.infer<typeof triedTurnSchema>

/**
 * Runs one turn of the draft of a Brand's agent, for somebody who edits it. Its tools call nobody; the Brand's own bot is
 * called, as one that is tried, and the audit log says so.
 *
 * @returns what came of it; undefined where the draft no longer fits its Brand
 * @throws ForbiddenError
 */
export async function tryAgent(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  brandId: string,
  { text: said, past, user, answers, apiKey }: TriedTurn,
): Promise<RehearsedTurn | undefined> {
  assertMay(viewer, 'brands.write', brandId)
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) return undefined
  const settings = toVersionSettings(checked.agent)
  const rehearsed = toRehearsed(draft.brand, settings, apiKey === undefined ? {} : { 'llm.apiKey': apiKey })
  const callApi = standInApi(answers as Record<string, StandIn>)
  const asked = { by: 'try-it', brandUserId: user?.id, scopes: user?.scopes } as const
  await noteRehearsal(actor, { id: brandId, name: draft.brand.settings.name }, settings, asked)
  const asUser = user && { id: user.id, scopes: new Set(user.scopes) }
  return rehearseTurn({ ...rehearsed, user: asUser, callApi }, past, said)
}
