'use client'

import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { cn } from '#components/ui/class-names.ts'
import { notify } from '#components/ui/notify.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { FormContext } from './form-context.tsx'
import { fillControl, focusFirstError, homelessErrors } from './form-controls.ts'
import { type FormAction, type FormState, idle, textOf } from './form-state.ts'
import { useFormAction } from './use-form-action.ts'
import { type LiveCheck, useLiveCheck } from './use-live-check.ts'
import { useUnsavedWarning } from './use-unsaved-warning.ts'

type Props = {
  action: FormAction
  initial?: FormState
  /** What the fields are called, by their names: for the table of a conflict. */
  labels?: Record<string, string>
  /** Empties the fields once they are saved: for a form that adds things. */
  clearWhenDone?: boolean
  /** Asks before leaving with something unsaved. */
  warnUnsaved?: boolean
  /** Looks at the fields while somebody types; what it finds stands at the fields that were touched. */
  check?: LiveCheck
  /** After a conflict the page is loaded anew for their version: for a form whose fields come and go. */
  reloadTheirs?: boolean
  /** Called once it is saved, before the page shows what it then holds. */
  onDone?: () => void
  className?: string
  /** Fields, and a `SubmitButton`. */
  children: ReactNode
}

/**
 * A form over a server action: errors stand at their fields, what was typed survives every answer, a lost connection
 * and a concurrent change. The version that was edited travels in a `HiddenField` named `version`.
 */
export function ActionForm({ action, initial = idle, labels, className, children, ...options }: Props) {
  const { clearWhenDone = false, warnUnsaved = true, check, reloadTheirs = false, onDone } = options
  const form = useRef<HTMLFormElement>(null)
  const { state, setState, submit, formAction, pending } = useFormAction(action, initial)
  const [unsaved, setUnsaved] = useState(false)
  useUnsavedWarning(warnUnsaved && unsaved && !pending)
  const { errors, look } = useLiveCheck(form, state, check)
  const noteChange = () => {
    setUnsaved(true)
    look()
  }

  // What is wrong must be on the page before the focus or the view can go there.
  useEffect(() => {
    if (!form.current || state.status === 'idle' || state.status === 'done') return
    if (state.status === 'invalid' && focusFirstError(form.current, state.errors)) return
    form.current.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }, [state])

  function send(data: FormData) {
    if (pending) return
    submit(data, (next) => {
      if (next.status !== 'done') return
      onDone?.()
      setUnsaved(false)
      if (next.message) notify('success', next.message)
      const version = textOf(next.values.version)
      if (clearWhenDone) form.current?.reset()
      else if (form.current && version) fillControl(form.current, 'version', version)
    })
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    send(new FormData(event.currentTarget, event.nativeEvent.submitter))
  }

  function keepMine() {
    if (!form.current) return
    fillControl(form.current, 'version', textOf(state.values.version) ?? '')
    send(new FormData(form.current))
  }

  function takeTheirs() {
    if (!form.current) return
    if (reloadTheirs) {
      setUnsaved(false)
      // After the warning about unsaved changes has gone.
      setTimeout(() => window.location.reload())
      return
    }
    fillControl(form.current, 'version', textOf(state.values.version) ?? '')
    for (const { field, theirs } of state.conflict ?? []) fillControl(form.current, field, theirs)
    setState({ ...state, status: 'idle', conflict: [] })
  }

  return (
    <FormContext value={{ state: { ...state, errors }, pending, noteChange }}>
      <form
        ref={form}
        action={formAction}
        onSubmit={onSubmit}
        onChange={(event) => {
          setUnsaved(true)
          look(event.target instanceof Element ? event.target : undefined)
        }}
        noValidate
        className={cn('space-y-5', className)}
      >
        <FormMessage form={form.current} state={state} />
        {state.status === 'conflict' ? (
          <ConflictNotice
            conflict={state.conflict ?? []}
            message={state.message}
            labels={labels}
            onKeepMine={keepMine}
            onTakeTheirs={takeTheirs}
          />
        ) : null}
        {children}
      </form>
    </FormContext>
  )
}

function FormMessage({ form, state }: { form: HTMLFormElement | null; state: FormState }) {
  if (state.status !== 'invalid' && state.status !== 'failed') return null
  const besides = homelessErrors(form, state.errors)
  return (
    <Alert kind="danger" live title={state.message ?? 'This was not saved. Please look at the fields below.'}>
      {besides.length > 0 ? besides.map((text) => <p key={text}>{text}</p>) : null}
    </Alert>
  )
}
