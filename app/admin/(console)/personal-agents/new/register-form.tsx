import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import type { Limits } from '#lib/identity/schema.ts'
import { register } from '../actions.ts'
import { LimitFields } from '../limit-fields.tsx'
import { texts } from '../texts.ts'

type Props = {
  /** What the look-up has found; typed over as one likes. */
  known: { issuer?: string; name?: string; jwksUri?: string }
  defaults: Limits
}

/** Registers a personal agent. */
export function RegisterForm({ known, defaults }: Props) {
  const { fields, newPage } = texts
  return (
    <Card title={newPage.formTitle}>
      <ActionForm action={register}>
        <TextField
          name="issuer"
          label={fields.issuer}
          hint={fields.issuerHint}
          type="url"
          autoComplete="off"
          placeholder="https://agent.example"
          defaultValue={known.issuer}
        />
        <TextField
          name="jwksUri"
          label={fields.jwksUri}
          hint={fields.jwksUriHint}
          type="url"
          autoComplete="off"
          placeholder="https://agent.example/.well-known/jwks.json"
          defaultValue={known.jwksUri}
        />
        <TextField
          name="name"
          label={fields.name}
          hint={fields.nameHint}
          autoComplete="off"
          defaultValue={known.name}
        />
        <LimitFields limits={undefined} defaults={defaults} />
        <SubmitButton>{newPage.submit}</SubmitButton>
      </ActionForm>
    </Card>
  )
}
