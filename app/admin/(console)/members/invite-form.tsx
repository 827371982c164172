'use client'

import { useState } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { SelectField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import type { Option } from '#components/ui/native-select.tsx'
import { invite } from './actions.ts'
import { FieldsThenLink } from './invited.tsx'
import { roleNames, texts } from './texts.ts'

type Props = { brands: readonly Option[]; brand?: string | undefined; ofProvider: boolean }

/** Invites somebody. Brands' managers are offered their Brands' roles alone. */
export function InviteForm({ brands, brand, ofProvider }: Props) {
  // A new key makes an empty form of it.
  const [round, setRound] = useState(0)
  const given = ofProvider
    ? (['viewer', 'manager', 'auditor', 'admin'] as const)
    : (['viewer', 'manager'] as const)
  // What the form says at first must be what it may say: a role at the Provider where there is no Brand yet.
  const role = brands.length > 0 ? 'viewer' : 'auditor'
  const chosen = brands.find(({ value }) => value === brand) ?? brands[0]
  return (
    <ActionForm key={round} action={invite} warnUnsaved={false} className="space-y-4">
      <FieldsThenLink onAnother={() => setRound(round + 1)}>
        <div className="grid gap-4 md:grid-cols-3">
          <TextField name="email" label={texts.email} type="email" autoComplete="off" required />
          <SelectField
            name="role"
            label={texts.role}
            defaultValue={role}
            options={given.map((value) => ({ value, label: roleNames[value] }))}
          />
          <SelectField
            name="brand"
            label={texts.brand}
            {...(ofProvider ? { hint: texts.brandHint } : {})}
            {...(chosen ? { defaultValue: chosen.value } : {})}
            options={ofProvider ? [{ value: '', label: texts.noBrand }, ...brands] : brands}
          />
        </div>
        <SubmitButton>{texts.send}</SubmitButton>
      </FieldsThenLink>
    </ActionForm>
  )
}
