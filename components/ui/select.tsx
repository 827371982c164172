'use client'

import { Check, ChevronDown } from 'lucide-react'
import * as RadixSelect from 'radix-ui/select'
import { cn } from './class-names.ts'
import { controlStyle } from './input.tsx'
import type { Option } from './native-select.tsx'

type Props = {
  /** What a screen reader calls it. */
  label: string
  options: readonly Option[]
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  placeholder?: string
  name?: string
  disabled?: boolean
  className?: string
}

/** A list that a program listens to; forms take `NativeSelect`. */
export function Select({ label, options, placeholder = 'Choose…', className, ...rest }: Props) {
  return (
    <RadixSelect.Root {...rest}>
      <RadixSelect.Trigger
        aria-label={label}
        className={cn(controlStyle, 'flex h-9 items-center justify-between gap-2', className)}
      >
        <RadixSelect.Value placeholder={placeholder} />
        <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-80 min-w-(--radix-select-trigger-width) overflow-hidden rounded-card border border-line bg-panel shadow-float"
        >
          <RadixSelect.Viewport className="p-1">
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="relative flex cursor-default select-none items-center rounded-control py-1.5 pr-3 pl-8 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-muted"
              >
                <RadixSelect.ItemIndicator className="absolute left-2">
                  <Check aria-hidden className="size-4" />
                </RadixSelect.ItemIndicator>
                <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  )
}
