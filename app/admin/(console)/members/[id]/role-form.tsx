import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, SelectField } from '#components/console/form-field.tsx'
import type { FormAction } from '#components/console/form-state.ts'
import { SubmitButton } from '#components/console/submit-button.tsx'
import type { Option } from '#components/ui/native-select.tsx'
import { texts } from '../texts.ts'

type Props = {
  action: FormAction
  label: string
  fields: Record<string, string>
  /** The role that is stored: nothing is saved once it is another. */
  from: string
  options: readonly Option[]
}

/** One role, in a list of its own. */
export function RoleForm({ action, label, fields, from, options }: Props) {
  return (
    <ActionForm key={from} action={action} warnUnsaved={false} className="space-y-3">
      {Object.entries({ ...fields, from }).map(([name, value]) => (
        <HiddenField key={name} name={name} value={value} />
      ))}
      <div className="flex flex-wrap items-end gap-3">
        <SelectField name="to" label={label} options={options} defaultValue={from} className="min-w-56" />
        <SubmitButton variant="secondary">{texts.save}</SubmitButton>
      </div>
    </ActionForm>
  )
}
