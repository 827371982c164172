'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { useForm } from './form-context.tsx'

type Props = {
  name: string
  label: string
  /** The rules of a new one: they are read before it is typed. */
  hint?: ReactNode
  autoComplete: 'current-password' | 'new-password'
  className?: string
}

/** A password of an `ActionForm`, which its owner may look at while typing. No answer brings it back. */
export function PasswordField({ name, label, hint, autoComplete, className }: Props) {
  const { state } = useForm()
  const [shown, setShown] = useState(false)
  return (
    <Field name={name} label={label} hint={hint} errors={state.errors[name]} className={className}>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <Button aria-controls={control.id} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </Button>
        </span>
      )}
    </Field>
  )
}
