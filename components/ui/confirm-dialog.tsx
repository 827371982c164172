'use client'

import * as AlertDialog from 'radix-ui/alert-dialog'
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { Button } from './button.tsx'
import { backdropStyle, dialogStyle } from './dialog.tsx'
import { Input } from './input.tsx'
import { Label } from './label.tsx'

type Props = {
  title: string
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  /** The button that opens it. */
  trigger: ReactNode
  /** The verb on the button that does it. */
  confirmLabel: string
  /** The name that must be typed before the button works. */
  confirmName?: string | undefined
  danger?: boolean
  pending?: boolean
  /** Why it could not be done. */
  error?: string | undefined
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onConfirm: () => void
}

/** Asks once more before something that is hard to undo; the safe answer has the focus. */
export function ConfirmDialog(props: Props) {
  const { title, description, trigger, confirmLabel, confirmName, danger = true, pending = false } = props
  const [typed, setTyped] = useState('')
  const id = useId()
  const allowed = confirmName === undefined || typed.trim() === confirmName
  const change = (open: boolean) => {
    setTyped('')
    props.onOpenChange?.(open)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // In React's eyes it lies in the form that it was opened from, which is not sent.
    event.stopPropagation()
    if (allowed && !pending) props.onConfirm()
  }
  return (
    <AlertDialog.Root {...(props.open === undefined ? {} : { open: props.open })} onOpenChange={change}>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={backdropStyle} />
        <AlertDialog.Content className={dialogStyle}>
          <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-faint text-sm">{description}</div>
          </AlertDialog.Description>
          <form onSubmit={submit} className="mt-4 space-y-4">
            {confirmName === undefined ? null : (
              <div className="space-y-1.5">
                <Label htmlFor={id}>
                  Type <bdi className="break-all font-mono">{confirmName}</bdi> to confirm
                </Label>
                <Input
                  id={id}
                  value={typed}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </div>
            )}
            {props.error ? (
              <p role="alert" className="whitespace-pre-line text-danger text-sm">
                {props.error}
              </p>
            ) : null}
            <div className="flex flex-wrap justify-end gap-2">
              <AlertDialog.Cancel asChild>
                <Button>Cancel</Button>
              </AlertDialog.Cancel>
              <Button
                type="submit"
                variant={danger ? 'danger' : 'primary'}
                disabled={!allowed}
                pending={pending}
              >
                {confirmLabel}
              </Button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
