import { z } from 'zod'
import type { Actor } from '#lib/access/audit.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { MAX_REPLY_BYTES, MAX_TEXT_BYTES } from '#lib/agents/agent.ts'
import { LLM_API_KEY } from '#lib/agents/agent-secrets.ts'
import { type StandIn, standInSchema } from '#lib/agents/checks/schema.ts'
import { standInApi } from '#lib/agents/checks/stand-in.ts'
import { type RehearsedTurn, rehearseTurn } from '#lib/agents/rehearsal.ts'
import { secretText } from '#lib/agents/secret-text.ts'
import { MAX_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '#lib/agents/state.ts'
import { checkAgent, getAgentDraft } from './agent-drafts.ts'
import { noteRehearsal } from './note-rehearsal.ts'
import { toVersionSettings } from './published-agents.ts'
import { toRehearsed } from './run-brand-checks.ts'

const textOf = (bytes: number) =>
  z.string().refine((text) => Buffer.byteLength(text) <= bytes, `must have at most ${bytes} bytes`)
const said = textOf(MAX_TEXT_BYTES)

/** A conversation with a draft until now, as the browser keeps it: it is stored nowhere else. */
export const triedPastSchema = z.strictObject({
  turns: z.array(z.strictObject({ text: said, reply: textOf(MAX_REPLY_BYTES) })).max(100),
  state: z
    .record(
      z.string().max(MAX_NAME_LENGTH),
      z.union([z.string().max(MAX_VARIABLE_LENGTH), z.number(), z.boolean()]),
    )
    .refine((state) => Object.keys(state).length <= MAX_VARIABLES),
})

/** What somebody says to a draft, as whom, and what stands in for the Brand's API. */
export const triedTurnSchema = z.object({
  text: said.refine((text) => text.trim() !== '', 'is required'),
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
 * @throws ForbiddenError, TooOftenError
 */
export async function tryAgent(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  brandId: string,
  { text, past, user, answers, apiKey }: TriedTurn,
): Promise<RehearsedTurn | undefined> {
  assertMay(viewer, 'brands.write', brandId)
  await takeTrial(viewer, 'turn')
  const draft = await getAgentDraft(viewer, brandId)
  const checked = checkAgent(draft.brand.settings, draft.agent)
  if (!checked.ok) return undefined
  const settings = toVersionSettings(checked.agent)
  const secrets = apiKey === undefined ? {} : { [LLM_API_KEY]: apiKey }
  const rehearsed = toRehearsed(draft.brand, settings, secrets)
  const callApi = standInApi(answers as Record<string, StandIn>)
  const asked = { by: 'try-it', brandUserId: user?.id, scopes: user?.scopes } as const
  await noteRehearsal(actor, { id: brandId, name: draft.brand.settings.name }, settings, asked)
  const asUser = user && { id: user.id, scopes: new Set(user.scopes) }
  return rehearseTurn({ ...rehearsed, user: asUser, callApi }, past, text)
}
