'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { restoreAgentVersion } from '#lib/provisioning/agent-drafts.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { errorsOf, formAction, type Outcome } from '../../../../../form-action.ts'
import { draftTarget } from '../draft-action.ts'
import { texts } from '../texts.ts'

/** Makes an old version the draft that is edited. */
export async function restoreVersion(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    schema: draftTarget.extend({ number: z.coerce.number().int().min(1) }),
    async run({ id, version, number }, context): Promise<Outcome> {
      try {
        const restored = await restoreAgentVersion(context, { brandId: id, base: version, number })
        if (!restored.ok) return { status: 'invalid', errors: errorsOf(restored.findings) }
        revalidatePath('/admin/brands', 'layout')
        return { status: 'done', message: texts.versions.restored(restored.number) }
      } catch (error) {
        if (error instanceof StaleEditError) return { status: 'failed', message: texts.conflict }
        throw error
      }
    },
  })(state, data)
}
