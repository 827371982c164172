'use client'

import * as RadixTabs from 'radix-ui/tabs'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

export type Tab = { value: string; label: string; content: ReactNode }

type Props = {
  /** What a screen reader calls the row of tabs. */
  label: string
  tabs: readonly Tab[]
  defaultValue?: string
  className?: string
}

/** Views of one thing, one shown at a time. */
export function Tabs({ label, tabs, defaultValue, className }: Props) {
  const first = defaultValue ?? tabs[0]?.value ?? ''
  return (
    <RadixTabs.Root defaultValue={first} className={className}>
      <RadixTabs.List aria-label={label} className="flex gap-1 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className={cn(
              '-mb-px cursor-pointer whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-faint text-sm -outline-offset-2',
              'hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink',
            )}
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}
