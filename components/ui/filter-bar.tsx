import Form from 'next/form'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { hrefWith, type Query } from './href.ts'

type Props = {
  path: string
  /** What the address keeps whatever is filtered: the Brand, the order. */
  keep?: Query
  /** Something is filtered: shows the way back to everything. */
  active?: boolean
  /** The fields, each with a `name` and the value of the address as its `defaultValue`. */
  children: ReactNode
}

/** Filters of a list. They live in the address, so that a view can be shared, and need no JavaScript. */
export function FilterBar({ path, keep = {}, active = false, children }: Props) {
  return (
    <Form action={path} role="search" className="mb-4 flex flex-wrap items-end gap-3">
      {Object.entries(keep).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      {children}
      <Button type="submit">Filter</Button>
      {active ? (
        <Button variant="ghost" asChild>
          <Link href={hrefWith(path, keep)}>Show all</Link>
        </Button>
      ) : null}
    </Form>
  )
}
