'use client'

import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'

export type CommandEntry = {
  /** Unique among all entries of a list. */
  id: string
  label: string
  icon?: ReactNode
  /** Shown, faint, behind the label. */
  detail?: string
  /** Found by these words too. */
  keywords?: string[]
}

export type CommandGroup = { title: string; entries: readonly CommandEntry[] }

type Props = {
  label: string
  placeholder: string
  groups: readonly CommandGroup[]
  onChoose: (entry: CommandEntry) => void
}

/** The list may come after what it opens in, which then could focus nothing. */
function focusOnceThere(input: HTMLInputElement | null) {
  input?.focus()
}

/** A list that narrows as one types: arrow keys move, Enter chooses. */
export function CommandList({ label, placeholder, groups, onChoose }: Props) {
  return (
    <Cmdk label={label} loop className="flex max-h-[min(24rem,70dvh)] flex-col">
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Cmdk.Input
          ref={focusOnceThere}
          placeholder={placeholder}
          className="h-11 w-full bg-transparent text-ink text-sm outline-none placeholder:text-faint"
        />
      </div>
      <Cmdk.List className="flex-1 overflow-y-auto p-1">
        <Cmdk.Empty className="px-3 py-6 text-center text-faint text-sm">Nothing by that name.</Cmdk.Empty>
        {groups
          .filter(({ entries }) => entries.length > 0)
          .map(({ title, entries }) => (
            <Cmdk.Group
              key={title}
              heading={title}
              className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
            >
              {entries.map((entry) => (
                <Cmdk.Item
                  key={entry.id}
                  value={entry.id}
                  keywords={[entry.label, ...(entry.keywords ?? [])]}
                  onSelect={() => onChoose(entry)}
                  className="flex cursor-default select-none items-center gap-2 rounded-control px-2.5 py-2 text-sm data-[selected=true]:bg-muted [&_svg]:size-4 [&_svg]:shrink-0"
                >
                  {entry.icon}
                  <span className="truncate">{entry.label}</span>
                  {entry.detail ? <span className="ml-auto text-faint text-xs">{entry.detail}</span> : null}
                </Cmdk.Item>
              ))}
            </Cmdk.Group>
          ))}
      </Cmdk.List>
    </Cmdk>
  )
}
