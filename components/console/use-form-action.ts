'use client'

import { unstable_rethrow } from 'next/navigation'
import { useActionState, useState, useTransition } from 'react'
import { connectionLost, type FormAction, type FormState, ourFault, typedValues } from './form-state.ts'

/** An error from our server carries a digest; one from the connection does not. */
function isOurs(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'digest' in error
}

/**
 * A server action and the state of its form. `submit` sends from the browser and bears a lost connection;
 * `formAction` is for the form's `action`, so that it works before and without JavaScript.
 */
export function useFormAction(action: FormAction, initial: FormState) {
  const [served, formAction, replaying] = useActionState(action, initial)
  const [state, setState] = useState(served)
  const [seen, setSeen] = useState(served)
  const [sending, startTransition] = useTransition()
  if (seen !== served) {
    setSeen(served)
    setState(served)
  }

  function submit(data: FormData, onAnswer?: (state: FormState) => void) {
    startTransition(async () => {
      let next: FormState
      try {
        next = await action(state, data)
      } catch (error) {
        unstable_rethrow(error)
        const message = isOurs(error) ? ourFault : connectionLost
        next = { status: 'failed', message, errors: {}, values: typedValues(data) }
      }
      startTransition(() => setState(next))
      onAnswer?.(next)
    })
  }

  return { state, setState, submit, formAction, pending: sending || replaying }
}
