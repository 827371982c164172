'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { type FormState, withoutTyped } from '#components/console/form-state.ts'
import { publishAgent } from '#lib/provisioning/publish-agent.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { formAction, type Outcome } from '../../../../../form-action.ts'
import { errorsAtFields } from '../../../../../nested-fields.ts'
import { CheckReport } from '../checks/check-report.tsx'
import { draftTarget } from '../draft-action.ts'
import { texts } from '../texts.ts'

const { publish: text } = texts

/** Secrets that were typed, by their names; what stayed empty stays as it is. */
function readSecrets(data: FormData): Record<string, string> {
  const names = data.getAll('secretNames').map(String)
  const typed = names.map((name) => [name, String(data.get(`secret.${name}`) ?? '').trim()] as const)
  return Object.fromEntries(typed.filter(([, value]) => value !== ''))
}

/** Runs the checks, and makes the draft the agent that answers. */
export async function publishDraft(state: FormState, data: FormData): Promise<FormState> {
  const answer = await formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    shape: (fields) => ({ id: fields.get('id'), version: fields.get('version'), since: fields.get('since') }),
    schema: draftTarget.extend({ since: z.iso.datetime() }),
    async run({ id, version, since }, context, fields): Promise<Outcome> {
      const options = { secrets: readSecrets(fields), override: fields.get('override') === 'on' }
      const target = { brandId: id, number: version, since: new Date(since) }
      try {
        const published = await publishAgent(context, target, options)
        if ('failed' in published) {
          const details = <CheckReport results={published.failed} />
          const summary = text.failed(published.failed.length)
          return { status: 'failed', message: text.blocked, result: { summary, details } }
        }
        if (!published.ok) return { status: 'invalid', errors: errorsAtFields(published.findings, fields) }
        revalidatePath('/admin/brands', 'layout')
        return { status: 'done', message: text.done }
      } catch (error) {
        if (error instanceof StaleEditError) return { status: 'failed', message: texts.conflict }
        throw error
      }
    },
  })(state, data)
  // Nobody's page keeps a secret.
  return withoutTyped(answer, (name) => name.startsWith('secret.'))
}
