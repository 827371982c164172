'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { cn } from '#components/ui/class-names.ts'
import { brandHref, isAt } from './brand-href.ts'
import type { ShellLink, ShellSection } from './shell-data.ts'

type Props = {
  sections: readonly ShellSection[]
  brand: string | undefined
  home: string
  /** A link was followed: a drawer closes. */
  onFollow?: () => void
}

function NavLink({ link, current, ...rest }: { link: ShellLink; current: boolean; href: string }) {
  return (
    <Link
      {...rest}
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex items-center gap-2.5 rounded-control px-2.5 py-1.5 text-sm [&_svg]:size-4 [&_svg]:shrink-0',
        current ? 'bg-accent-soft font-medium text-accent' : 'text-ink hover:bg-muted [&_svg]:text-faint',
      )}
    >
      {link.icon ? <span aria-hidden>{link.icon}</span> : null}
      <span className="truncate">{link.label}</span>
    </Link>
  )
}

/** The pages of the console, by section. */
export function Nav({ sections, brand, home, onFollow }: Props) {
  const path = usePathname()
  const id = useId()
  return (
    <nav aria-label="Console" className="space-y-5">
      {sections.map(({ title, links }, index) => (
        <div key={title}>
          <h2 id={`${id}${index}`} className="px-2.5 pb-1 font-medium text-faint text-xs">
            {title}
          </h2>
          <ul aria-labelledby={`${id}${index}`} className="space-y-0.5">
            {links.map((link) => (
              <li key={link.href} onClickCapture={onFollow}>
                <NavLink
                  link={link}
                  href={brandHref(link.href, brand)}
                  current={isAt(path, link.href, home)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
