'use server'

import { z } from 'zod'
import { type FormState, withoutTyped } from '#components/console/form-state.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { tryDraftTool } from '#lib/provisioning/try-draft-tool.ts'
import { formAction, type Outcome } from '../../../../../form-action.ts'
import { errorsAtFields } from '../../../../../nested-fields.ts'
import { AgentForm, readText } from '../agent-form.ts'
import { draftAction } from '../draft-action.ts'
import { texts } from '../texts.ts'
import { withTools } from './tool-fields.ts'
import { summarizeTrial, TrialReport } from './trial-report.tsx'

/** Saves a draft with other tools. */
export const saveTools = draftAction(withTools)

const trialSchema = z.object({
  id: brandIdSchema,
  tool: z.string().min(1),
  values: z.record(z.string(), z.json()),
  token: z
    .string()
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/, 'must be a token')
    .optional(),
  send: z.boolean(),
})

function readTrial(data: FormData) {
  const form = new AgentForm(data)
  return {
    form,
    trial: {
      id: data.get('id'),
      tool: data.get('tool'),
      values: form.yaml(form.fields, 'values') ?? {},
      token: readText(form.fields, 'token'),
      send: data.get('send') === 'on',
    },
  }
}

/** Shows the request that a tool would send, and sends it where that is asked. */
export async function tryToolNow(state: FormState, data: FormData): Promise<FormState> {
  const answer = await formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    shape: (fields) => readTrial(fields).trial,
    schema: trialSchema,
    async run({ id, ...asked }, { viewer }, fields): Promise<Outcome> {
      const { findings } = readTrial(fields).form
      if (findings.length > 0) return { status: 'invalid', errors: errorsAtFields(findings, fields) }
      const tried = await tryDraftTool(viewer, id, { ...asked, token: asked.token })
      if (!tried) return { status: 'failed', message: texts.tools.try.noTools }
      const details = <TrialReport tried={tried} />
      return { status: 'done', result: { summary: summarizeTrial(tried), details } }
    },
  })(state, data)
  // Nobody's page keeps a token.
  return withoutTyped(answer, (name) => name === 'token')
}
