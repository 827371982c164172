import { ChevronRight } from 'lucide-react'
import Link from 'next/link'

export type Crumb = { label: string; href?: string }

/** Where a page stands; the last entry is the page itself. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-1.5 text-faint text-sm">
        {crumbs.map(({ label, href }, index) => (
          <li key={`${label} ${href}`} className="flex min-w-0 items-center gap-1.5">
            {index > 0 ? <ChevronRight aria-hidden className="size-3.5 shrink-0" /> : null}
            {href && index < crumbs.length - 1 ? (
              <Link href={href} className="truncate hover:text-ink hover:underline">
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate text-ink">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
