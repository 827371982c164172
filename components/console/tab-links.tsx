'use client'

import NextLink from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { cn } from '#components/ui/class-names.ts'
import { brandHref } from './brand-href.ts'

/** `deep`: pages below its address belong to it. */
type Link = { href: string; label: string; deep?: boolean }
type Props = { label: string; links: readonly Link[] }

const isAt = (path: string, { href, deep }: Link) =>
  path === href || (deep === true && path.startsWith(`${href}/`))

/** The pages of one thing, as a row of tabs; each has its own address. The chosen Brand goes along. */
export function TabLinks({ label, links }: Props) {
  const path = usePathname()
  const brand = useSearchParams().get('brand') ?? undefined
  const list = useRef<HTMLUListElement>(null)

  const current = links.findIndex((link) => isAt(path, link))

  // On a phone there is room for three: the one that shows where one is has to be among them.
  useEffect(() => {
    const tab = list.current?.children[current]
    if (!list.current || !(tab instanceof HTMLElement)) return
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2
  }, [current])

  return (
    <nav aria-label={label} className="mb-6 border-line border-b">
      <ul ref={list} className="relative flex gap-1 overflow-x-auto">
        {links.map((link) => (
          <li key={link.href}>
            <NextLink
              prefetch={false}
              href={brandHref(link.href, brand)}
              aria-current={isAt(path, link) ? (path === link.href ? 'page' : 'true') : undefined}
              className={cn(
                'block whitespace-nowrap border-b-2 px-3 py-2 font-medium text-sm -outline-offset-2',
                isAt(path, link) ? 'border-accent text-ink' : 'border-transparent text-faint hover:text-ink',
              )}
            >
              {link.label}
            </NextLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
