import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField } from '#components/console/form-field.tsx'
import { FormResult } from '#components/console/form-result.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import type { Check } from '#lib/agents/checks/schema.ts'
import { checksOf } from '#lib/provisioning/run-brand-checks.ts'
import { Renewed } from '../../../renewed.tsx'
import type { BrandParams } from '../../shown-brand.ts'
import { toYaml } from '../rule-row-values.ts'
import { showAgent } from '../shown-agent.ts'
import { texts } from '../texts.ts'
import { runChecksNow } from './actions.tsx'
import { CheckForm } from './check-form.tsx'
import { type CheckRow, showScopes } from './check-row.ts'
import { CheckRows } from './check-rows.tsx'

export const dynamic = 'force-dynamic'

const { checks: text } = texts

function toRow({ name, scopes, turns, answers }: Check): CheckRow {
  const hasAnswers = Object.keys(answers).length > 0
  return {
    name,
    scopes: showScopes(scopes),
    turns: toYaml(turns),
    answers: hasAnswers ? toYaml(answers) : '',
  }
}

export default async function AgentChecks({ params }: BrandParams) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  const { version, settings } = draft.brand
  return (
    <div className="max-w-4xl space-y-6">
      <Renewed version={version.toISOString()}>
        <CheckForm id={id}>
          <HiddenField name="id" value={id} />
          <HiddenField name="version" value={version.toISOString()} />
          <Card title={text.title} description={text.hint}>
            <CheckRows id={id} checks={checksOf(settings).map(toRow)} disabled={!writes} />
          </Card>
          {writes ? <SubmitButton>{text.save}</SubmitButton> : null}
        </CheckForm>
      </Renewed>
      {writes ? (
        <Card title={text.run} description={text.runHint}>
          <ActionForm action={runChecksNow} warnUnsaved={false}>
            <HiddenField name="id" value={id} />
            <SubmitButton variant="secondary">{text.run}</SubmitButton>
            <FormResult label={text.result} />
          </ActionForm>
        </Card>
      ) : null}
    </div>
  )
}
