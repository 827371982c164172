'use client'

import { Check } from 'lucide-react'
import * as Menu from 'radix-ui/dropdown-menu'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'

export const floatStyle =
  'z-50 min-w-44 overflow-y-auto rounded-card border border-line bg-panel p-1 text-left font-normal text-ink text-sm shadow-float'

const itemStyle =
  'flex w-full cursor-default select-none items-center gap-2 rounded-control px-2.5 py-1.5 text-left outline-none data-disabled:opacity-50 data-highlighted:bg-muted [&_svg]:size-4 [&_svg]:shrink-0'

type Props = {
  /** The button that opens it. */
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** Actions behind a button: arrow keys move, letters jump, Escape closes. */
export function DropdownMenu({ trigger, align = 'end', className, children }: Props) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      {/* No portal: what the menu says belongs to the part of the page that it opens from. */}
      <Menu.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className={cn(floatStyle, 'max-h-(--radix-dropdown-menu-content-available-height)', className)}
      >
        {children}
      </Menu.Content>
    </Menu.Root>
  )
}

/** One action; `asChild` makes a link or a form's button of it. */
export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof Menu.Item> & { danger?: boolean }) {
  return <Menu.Item className={cn(itemStyle, danger && 'text-danger', className)} {...rest} />
}

type MenuCheckboxProps = {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
}

/** Something to switch on and off; the menu stays open for the next one. */
export function MenuCheckbox({ children, ...rest }: MenuCheckboxProps) {
  return (
    <Menu.CheckboxItem
      className={cn(itemStyle, 'relative pl-8')}
      onSelect={(event) => event.preventDefault()}
      {...rest}
    >
      <Menu.ItemIndicator className="absolute left-2">
        <Check aria-hidden />
      </Menu.ItemIndicator>
      {children}
    </Menu.CheckboxItem>
  )
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Menu.Label>) {
  return <Menu.Label className={cn('px-2.5 py-1.5 text-faint text-xs', className)} {...rest} />
}

export function MenuSeparator() {
  return <Menu.Separator className="-mx-1 my-1 h-px bg-line" />
}

type RadioProps = {
  value: string
  onValueChange: (value: string) => void
  choices: readonly { value: string; label: string; icon?: ReactNode }[]
}

/** One of several. */
export function MenuRadioGroup({ choices, ...rest }: RadioProps) {
  return (
    <Menu.RadioGroup {...rest}>
      {choices.map(({ value, label, icon }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          className={itemStyle}
          onSelect={(event) => event.preventDefault()}
        >
          {icon}
          {label}
          <Menu.ItemIndicator className="ml-auto">
            <Check aria-hidden />
          </Menu.ItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
