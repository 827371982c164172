'use client'

import { type ReactNode, useState } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { useForm } from '#components/console/form-context.tsx'
import { SelectField, TextField } from '#components/console/form-field.tsx'
import { textOf } from '#components/console/form-state.ts'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import type { Option } from '#components/ui/native-select.tsx'
import { makeToken } from './actions.ts'
import { type OfferedPermission, PermissionBoxes } from './permission-boxes.tsx'
import { texts } from './texts.ts'

type Props = {
  brands: readonly Option[]
  lifetimes: readonly number[]
  permissions: readonly OfferedPermission[]
  /** Where the API is. */
  api: string
}

/** The fields of a token and, once it is made, the token. */
function FieldsThenToken({
  api,
  onAnother,
  children,
}: {
  api: string
  onAnother(): void
  children: ReactNode
}) {
  const { state } = useForm()
  const token = textOf(state.values.token)
  if (state.status !== 'done' || token === undefined) return children
  return (
    <Alert kind="success" live title={`${texts.made} “${textOf(state.values.name)}”`}>
      <p>{texts.madeHint}</p>
      <CodeBlock label={texts.token} className="mt-3">
        {token}
      </CodeBlock>
      <p className="mt-3">{texts.tryIt}</p>
      <CodeBlock label={texts.tryIt} className="mt-1">
        {`curl -H 'Authorization: Bearer ${token}' ${api}/brands`}
      </CodeBlock>
      <Button className="mt-3" onClick={onAnother}>
        {texts.another}
      </Button>
    </Alert>
  )
}

/** Makes a token of the viewer's own. */
export function TokenForm({ brands, lifetimes, permissions, api }: Props) {
  // A new key makes an empty form of it.
  const [round, setRound] = useState(0)
  return (
    <ActionForm key={round} action={makeToken} warnUnsaved={false}>
      <FieldsThenToken api={api} onAnother={() => setRound(round + 1)}>
        <div className="space-y-4">
          <div className="grid gap-4 md:grid-cols-3">
            <TextField name="name" label={texts.name} hint={texts.nameHint} autoComplete="off" required />
            <SelectField
              name="days"
              label={texts.expiry}
              defaultValue="30"
              options={lifetimes.map((days) => ({ value: String(days), label: texts.days(days) }))}
            />
            <SelectField
              name="brandId"
              label={texts.brand}
              options={[{ value: '', label: texts.allBrands }, ...brands]}
            />
          </div>
          <PermissionBoxes offered={permissions} />
          <SubmitButton>{texts.submit}</SubmitButton>
        </div>
      </FieldsThenToken>
    </ActionForm>
  )
}
