import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx'

type Props = {
  title: ReactNode
  description?: ReactNode
  /** Buttons or links, the most important one last. */
  actions?: ReactNode
  crumbs?: readonly Crumb[]
}

/** The head of every page: its only first-level heading. */
export function PageHeader({ title, description, actions, crumbs }: Props) {
  return (
    <header className="mb-6 space-y-2">
      {crumbs ? <Breadcrumbs crumbs={crumbs} /> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="break-words font-semibold text-2xl tracking-tight">{title}</h1>
          {description ? <p className="mt-1 max-w-prose text-faint">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </div>
    </header>
  )
}
