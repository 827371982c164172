import { ActionForm } from '#components/console/action-form.tsx'
import { CheckboxField, HiddenField, TextField } from '#components/console/form-field.tsx'
import { FormResult } from '#components/console/form-result.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { listSecretSettings, type SecretSetting } from '#lib/agents/agent-secrets.ts'
import { listAgentSecrets } from '#lib/agents/stored-secrets.ts'
import { checkAgent } from '#lib/provisioning/agent-drafts.ts'
import type { BrandParams } from '../../shown-brand.ts'
import { DifferenceOfAgents } from '../agent-difference.tsx'
import { showAgent } from '../shown-agent.ts'
import { texts } from '../texts.ts'
import { publishDraft } from './actions.tsx'

export const dynamic = 'force-dynamic'

const { publish: text } = texts

type SecretsProps = {
  settings: readonly SecretSetting[]
  stored: readonly { name: string; origin: string }[]
}

function describeStored(origin: string, stored: string | undefined): string {
  if (stored === undefined) return text.secretNone
  return stored === origin ? text.secretStored : text.secretOther(stored)
}

function Secrets({ settings, stored }: SecretsProps) {
  if (settings.length === 0) return null
  return (
    <fieldset className="space-y-4">
      <legend className="font-medium">{text.secrets}</legend>
      <p className="text-faint text-sm">{text.secretsHint}</p>
      {settings.map(({ name, origin }) => (
        <div key={name}>
          <HiddenField name="secretNames" value={name} />
          <TextField
            name={`secret.${name}`}
            type="password"
            autoComplete="off"
            label={text.secret(name, origin)}
            hint={describeStored(origin, stored.find((each) => each.name === name)?.origin)}
            optional
          />
        </div>
      ))}
    </fieldset>
  )
}

export default async function PublishAgent({ params }: BrandParams) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  const { checks: _checks, ...current } = draft.brand.settings.agent
  const checked = checkAgent(draft.brand.settings, draft.agent)
  const settings = checked.ok ? listSecretSettings(checked.agent) : []
  return (
    <div className="max-w-4xl space-y-6">
      {writes && (draft.isDraft || settings.length > 0) ? (
        <Card title={text.title} description={text.hint}>
          <ActionForm key={draft.number} action={publishDraft} warnUnsaved={false}>
            <HiddenField name="id" value={id} />
            <HiddenField name="version" value={String(draft.number)} />
            <HiddenField name="since" value={draft.brand.version.toISOString()} />
            <Secrets settings={settings} stored={await listAgentSecrets(id)} />
            <CheckboxField name="override" label={text.override} hint={text.overrideHint} />
            <SubmitButton>{text.submit}</SubmitButton>
            <FormResult label={texts.checks.result} />
          </ActionForm>
        </Card>
      ) : null}
      <Card title={text.difference}>
        {draft.isDraft ? (
          <DifferenceOfAgents before={current} after={draft.agent} />
        ) : (
          <p className="text-faint text-sm">{text.nothing}</p>
        )}
      </Card>
    </div>
  )
}
