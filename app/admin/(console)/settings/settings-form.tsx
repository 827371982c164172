import type { ReactNode } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, SelectField, SwitchField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import type { SettingsReach, ShownSettings } from '#lib/provisioning/settings-page.ts'
import { saveSettings } from './actions.ts'
import { AudienceField } from './audience-field.tsx'
import { toFields } from './settings-fields.ts'
import { texts } from './texts.ts'

const { labels, hints, groups } = texts

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="space-y-4 rounded-card border border-line bg-panel p-5 shadow-card">
      <legend className="float-left mb-4 w-full font-semibold">{title}</legend>
      <div className="clear-both space-y-4">{children}</div>
    </fieldset>
  )
}

type LimitName =
  | 'limits.perPersonalAgent.requests'
  | 'limits.perPersonalAgent.perSeconds'
  | 'limits.perUser.requests'
  | 'limits.perUser.perSeconds'

function NumberField({ name, fields }: { name: LimitName; fields: Record<string, string> }) {
  return <TextField name={name} label={labels[name]} defaultValue={fields[name]} inputMode="decimal" />
}

/** The settings of the Provider, to be changed. */
export function SettingsForm({ shown, reach }: { shown: ShownSettings; reach: SettingsReach }) {
  const fields = toFields(shown.settings)
  return (
    <ActionForm action={saveSettings} labels={labels} className="max-w-3xl">
      <HiddenField name="version" value={shown.version.toISOString()} />
      <Group title={groups.organization}>
        <TextField
          name="organization"
          label={labels.organization}
          hint={hints.organization}
          defaultValue={fields.organization}
          autoComplete="organization"
        />
      </Group>
      <Group title={groups.trust}>
        <AudienceField audience={shown.settings.audience} personalAgents={reach.personalAgents} />
        <SelectField
          name="trust"
          label={labels.trust}
          hint={hints.trust}
          defaultValue={shown.settings.trust}
          options={Object.entries(texts.trust).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <Group title={groups.limits}>
        <p className="text-faint text-sm">{hints.limits}</p>
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <NumberField name="limits.perPersonalAgent.requests" fields={fields} />
          <NumberField name="limits.perPersonalAgent.perSeconds" fields={fields} />
          <NumberField name="limits.perUser.requests" fields={fields} />
          <NumberField name="limits.perUser.perSeconds" fields={fields} />
        </div>
      </Group>
      <Group title={groups.people}>
        <SwitchField
          name="adminsNeedSecondFactor"
          label={labels.adminsNeedSecondFactor}
          hint={hints.adminsNeedSecondFactor(reach.admins, reach.adminsWithoutSecondFactor)}
          defaultChecked={shown.settings.adminsNeedSecondFactor}
        />
        <TextField
          name="retentionDays"
          label={labels.retentionDays}
          hint={hints.retentionDays}
          optional
          defaultValue={fields.retentionDays}
          inputMode="numeric"
        />
      </Group>
      <SubmitButton>{texts.save}</SubmitButton>
    </ActionForm>
  )
}
