'use server'

import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { type BrandInput, brandIdSchema } from '#lib/brands/schema.ts'
import { checkAgentDraft } from '#lib/provisioning/publish-agent.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { formAction, type Outcome } from '../../../../../form-action.ts'
import { brandAction } from '../../../save-brand.ts'
import { AgentForm, given, readList, readText } from '../agent-form.ts'
import { texts } from '../texts.ts'
import { CheckReport } from './check-report.tsx'

function readChecks(data: FormData) {
  const form = new AgentForm(data)
  const checks = form.rows('agent', 'checks').map(({ row, at }) =>
    given({
      name: readText(row, 'name') ?? '',
      scopes: readText(row, 'scopes') === '-' ? [] : readList(row, 'scopes'),
      answers: form.yaml(row, 'answers', at),
      turns: form.yaml(row, 'turns', at) ?? [],
    }),
  )
  return { checks, findings: form.findings }
}

/** Checks belong to the Brand, whatever its agent is: they are saved with it at once. */
function withChecks(settings: BrandInput, data: FormData): unknown {
  return { ...settings, agent: { ...settings.agent, checks: readChecks(data).checks } }
}

const save = brandAction(withChecks, {
  message: texts.checks.saved,
  refuse: async (_settings, _changed, data) => readChecks(data).findings,
})

/** Saves a Brand's checks. */
export async function saveChecks(state: FormState, data: FormData): Promise<FormState> {
  return save(state, data)
}

/** Runs a Brand's checks against the draft of its agent. */
export async function runChecksNow(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    schema: z.object({ id: brandIdSchema }),
    async run({ id }, context): Promise<Outcome> {
      const results = await checkAgentDraft(context, id).catch((error: unknown) => {
        if (error instanceof StaleEditError) return undefined
        throw error
      })
      if (!results) return { status: 'failed', message: texts.checks.unfit }
      const failed = results.filter(({ passed }) => !passed).length
      const { all, some, empty } = texts.checks
      const summary =
        results.length === 0 ? empty : failed === 0 ? all(results.length) : some(failed, results.length)
      return { status: 'done', result: { summary, details: <CheckReport results={results} /> } }
    },
  })(state, data)
}
