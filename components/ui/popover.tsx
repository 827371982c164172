'use client'

import * as RadixPopover from 'radix-ui/popover'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import { floatStyle } from './dropdown-menu.tsx'

type Props = {
  /** What a screen reader calls it. */
  label: string
  trigger: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** A small window beside a button. */
export function Popover({ label, trigger, open, onOpenChange, align = 'start', className, children }: Props) {
  return (
    <RadixPopover.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(floatStyle, 'p-3', className)}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}
