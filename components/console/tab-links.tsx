'use client'

import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { cn } from '#components/ui/class-names.ts'
import { brandHref } from './brand-href.ts'

type Props = { label: string; links: readonly { href: string; label: string }[] }

/** The pages of one thing, as a row of tabs; each has its own address. The chosen Brand goes along. */
export function TabLinks({ label, links }: Props) {
  const path = usePathname()
  const brand = useSearchParams().get('brand') ?? undefined
  return (
    <nav aria-label={label} className="mb-6 border-line border-b">
      <ul className="flex gap-1 overflow-x-auto">
        {links.map(({ href, label: text }) => (
          <li key={href}>
            <Link
              href={brandHref(href, brand)}
              aria-current={path === href ? 'page' : undefined}
              className={cn(
                'block whitespace-nowrap border-b-2 px-3 py-2 font-medium text-sm -outline-offset-2',
                path === href ? 'border-accent text-ink' : 'border-transparent text-faint hover:text-ink',
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
