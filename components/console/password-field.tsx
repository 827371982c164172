'use client'

import { type ReactNode, useState, useSyncExternalStore } from 'react'
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

const never = () => () => undefined

/** Whether scripts run on the page already: until then, what needs one is not there. */
function useScripts(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** A password of an `ActionForm`, which its owner may look at while typing. No answer brings it back. */
export function PasswordField({ name, label, hint, autoComplete, className }: Props) {
  const { state, pending } = useForm()
  const [shown, setShown] = useState(false)
  const scripts = useScripts()
  // Whoever has sent it has seen enough of it.
  if (pending && shown) setShown(false)
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
          <Button
            aria-controls={control.id}
            className={scripts ? undefined : 'invisible'}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide ' : 'Show '}
            <span className="sr-only">password: {label}</span>
          </Button>
        </span>
      )}
    </Field>
  )
}
