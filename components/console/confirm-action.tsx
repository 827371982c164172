'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx'
import { notify } from '#components/ui/notify.ts'
import { type FormAction, idle } from './form-state.ts'
import { useFormAction } from './use-form-action.ts'

type Props = {
  action: FormAction
  /** What the action is told besides: ids and the version. */
  fields?: Record<string, string>
  /** On the button that opens the question. */
  label: ReactNode
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'link'
  size?: 'small' | 'normal'
  title: string
  description: ReactNode
  confirmLabel: string
  /** The name to type first. The action gets it as `confirmation`, and checks it again. */
  confirmName?: string
  danger?: boolean
}

/** A button that asks once more, then runs a server action. */
export function ConfirmAction({ action, fields = {}, label, variant, size, ...dialog }: Props) {
  const [open, setOpen] = useState(false)
  const { state, setState, submit, pending } = useFormAction(action, idle)

  function confirm() {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    if (dialog.confirmName !== undefined) data.set('confirmation', dialog.confirmName)
    submit(data, (next) => {
      if (next.status !== 'done') return
      setOpen(false)
      if (next.message) notify('success', next.message)
    })
  }

  function change(next: boolean) {
    if (next) setState(idle)
    setOpen(next)
  }

  const failed = state.status !== 'idle' && state.status !== 'done'
  // A line for each: they are no sentences of one text.
  const reason = [state.message, ...Object.values(state.errors).flat()].filter(Boolean).join('\n')
  return (
    <ConfirmDialog
      {...dialog}
      trigger={
        <Button variant={variant} size={size}>
          {label}
        </Button>
      }
      open={open}
      onOpenChange={change}
      pending={pending}
      error={failed ? reason || 'This could not be done. Try again in a moment.' : undefined}
      onConfirm={confirm}
    />
  )
}
