'use client'

import { X } from 'lucide-react'
import * as RadixDialog from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

export const backdropStyle = 'fixed inset-0 z-40 bg-black/50'

export const dialogStyle =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-card border border-line bg-panel p-5 text-ink shadow-float'

type Props = {
  title: string
  description?: ReactNode
  /** The button that opens it. */
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}

/** A window over the page; Escape closes it and the focus goes back to what opened it. */
export function Dialog({ title, description, trigger, open, onOpenChange, className, children }: Props) {
  return (
    <RadixDialog.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {trigger ? <RadixDialog.Trigger asChild>{trigger}</RadixDialog.Trigger> : null}
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={backdropStyle} />
        <RadixDialog.Content
          className={cn(dialogStyle, className)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <RadixDialog.Title className="pr-8 font-semibold text-lg">{title}</RadixDialog.Title>
          {description ? (
            <RadixDialog.Description className="mt-1 text-faint text-sm">
              {description}
            </RadixDialog.Description>
          ) : null}
          <div className="mt-4">{children}</div>
          <RadixDialog.Close
            aria-label="Close"
            className="absolute top-4 right-4 cursor-pointer rounded-control p-1 text-faint hover:bg-muted hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type PaletteProps = {
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/** A window without a head, near the top of the screen; its title is for screen readers. */
export function PaletteWindow({ title, open, onOpenChange, children }: PaletteProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={backdropStyle} />
        <RadixDialog.Content
          aria-describedby={undefined}
          className={cn(dialogStyle, 'top-[12dvh] translate-y-0 overflow-hidden p-0')}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
