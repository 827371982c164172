import 'server-only'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { getAgentDraft, saveAgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { compareFields } from '#lib/provisioning/change.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { type ActionContext, formAction, type Outcome } from '../../../../form-action.ts'
import { errorsAtFields } from '../../../../nested-fields.ts'
import { AgentForm, type AgentInput } from './agent-form.ts'
import { texts } from './texts.ts'
import { tellUnreadable } from './unreadable-form.ts'

/** The Brand of a form and the version of its agent that the form shows. */
export const draftTarget = z.object({ id: brandIdSchema, version: z.coerce.number().int().min(0) })

export const targetOf = (data: FormData) => ({ id: data.get('id'), version: data.get('version') })

const show = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1)

/** Somebody was faster: what this form would change of theirs. */
export async function tellDraftConflict(
  { viewer }: ActionContext,
  id: string,
  change: (agent: AgentInput) => unknown,
): Promise<Outcome> {
  const { agent, number } = await getAgentDraft(viewer, id)
  const conflict = compareFields(agent, change(agent)).map(({ field, before, after }) => ({
    field,
    yours: show(after),
    theirs: show(before),
  }))
  const values = { version: String(number) }
  return { status: conflict.length === 0 ? 'done' : 'conflict', message: texts.conflict, values, conflict }
}

/** A server action that saves a draft of a Brand's agent, of which the form names id and version. */
export function draftAction(change: (agent: AgentInput, form: AgentForm) => unknown) {
  return formAction({
    permission: 'brands.write',
    brandOf: (data) => String(data.get('id') ?? ''),
    shape: targetOf,
    schema: draftTarget,
    async run({ id, version }, context, data): Promise<Outcome> {
      const form = new AgentForm(data)
      const changed = (agent: AgentInput) => {
        const next = change(agent, form)
        form.assertReadable()
        return next
      }
      // What somebody else has saved is compared with what this form says: it is read there, too.
      return tellUnreadable(data, async () => {
        try {
          const saved = await saveAgentDraft(context, { brandId: id, base: version }, changed)
          if (!saved.ok) {
            return { status: 'invalid', errors: errorsAtFields(form.atFields(saved.findings), data) }
          }
          revalidatePath('/admin/brands', 'layout')
          return {
            status: 'done',
            message: texts.saved(saved.number),
            values: { version: String(saved.number) },
          }
        } catch (error) {
          if (error instanceof StaleEditError) return tellDraftConflict(context, id, changed)
          throw error
        }
      })
    },
  })
}
