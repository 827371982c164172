import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

export type Description = { term: string; value: ReactNode }

/** Facts about one thing: term and value, side by side where there is room. */
export function DescriptionList({ items, className }: { items: readonly Description[]; className?: string }) {
  return (
    <dl className={cn('divide-y divide-line text-sm', className)}>
      {items.map(({ term, value }) => (
        <div key={term} className="grid gap-1 py-2.5 sm:grid-cols-[12rem_1fr] sm:gap-4">
          <dt className="text-faint">{term}</dt>
          <dd className="min-w-0 break-words">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
