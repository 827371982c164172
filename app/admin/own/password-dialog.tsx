import type { ReactNode } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField } from '#components/console/form-field.tsx'
import type { FormAction } from '#components/console/form-state.ts'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { FieldsThenCodes } from './shown-codes.tsx'
import { ownTexts } from './texts.ts'

type Props = {
  action: FormAction
  title: string
  description: string
  label: string
  /** What a screen reader calls the button, where several have the same label. */
  name?: string
  fields?: Record<string, string>
  /** Users of single sign-on have none. */
  asksPassword: boolean
  danger?: boolean
  children?: ReactNode
}

/** A button that asks for the password, then runs an action. */
export function PasswordDialog(props: Props) {
  const { action, title, description, label, name, fields = {}, asksPassword, danger = false } = props
  return (
    <Dialog
      title={title}
      description={description}
      trigger={
        <Button size="small" {...(name ? { 'aria-label': name } : {})}>
          {label}
        </Button>
      }
    >
      <ActionForm action={action} warnUnsaved={false} className="space-y-4">
        <FieldsThenCodes>
          {Object.entries(fields).map(([key, value]) => (
            <HiddenField key={key} name={key} value={value} />
          ))}
          {asksPassword ? (
            <PasswordField name="password" label={ownTexts.password} autoComplete="current-password" />
          ) : null}
          <SubmitButton variant={danger ? 'danger' : 'primary'}>{label}</SubmitButton>
        </FieldsThenCodes>
      </ActionForm>
    </Dialog>
  )
}
