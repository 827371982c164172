'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { Toaster } from '#components/ui/toaster.tsx'
import { brandHref } from './brand-href.ts'
import { BrandSwitcher } from './brand-switcher.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Nav } from './nav.tsx'
import { NavDrawer } from './nav-drawer.tsx'
import type { ShellBrand, ShellLink, ShellSection } from './shell-data.ts'
import { useBrand } from './use-brand.ts'
import { UserMenu } from './user-menu.tsx'

type Props = {
  user: { email: string }
  brands: readonly ShellBrand[]
  /** The Brand shown when the address names none. */
  brand?: string
  /** Whether the viewer may see all Brands at once. */
  allBrands?: boolean
  sections: readonly ShellSection[]
  /** What the palette offers besides pages and Brands. */
  actions?: readonly ShellLink[]
  /** The viewer's own pages, in the user menu. */
  userLinks?: readonly ShellLink[]
  signOut: ReactNode
  banner?: ReactNode
  /** The console's name, and its overview. */
  name?: string
  home?: string
  children: ReactNode
}

/** The frame of every console page: navigation, Brand, search, account. The page brings its own heading. */
export function Shell({ user, brands, brand: given, sections, signOut, banner, children, ...rest }: Props) {
  const { actions = [], userLinks = [], allBrands = true, name = 'PACT Provider', home = '/admin' } = rest
  const brand = useBrand(brands, given)
  const switcher = <BrandSwitcher brands={brands} brand={brand} home={home} all={allBrands} />
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-accent px-4 py-2 text-accent-ink focus:translate-y-0"
      >
        Skip to the content
      </a>
      <aside
        aria-label="Menu"
        className="sticky top-0 hidden h-dvh flex-col gap-5 overflow-y-auto border-line border-r bg-panel p-3 lg:flex"
      >
        <Link href={brandHref(home, brand)} prefetch={false} className="truncate px-2.5 pt-1.5 font-semibold">
          {name}
        </Link>
        {switcher}
        <Nav sections={sections} brand={brand} home={home} />
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-panel px-3 lg:px-6">
          <NavDrawer>
            {(close) => (
              <div className="space-y-5">
                {switcher}
                <Nav sections={sections} brand={brand} home={home} onFollow={close} />
              </div>
            )}
          </NavDrawer>
          <Link
            href={brandHref(home, brand)}
            prefetch={false}
            className="min-w-0 truncate font-semibold lg:hidden"
          >
            {name}
          </Link>
          <div className="ml-auto flex items-center gap-1">
            <CommandPalette sections={sections} brands={brands} brand={brand} actions={actions} />
            <UserMenu email={user.email} links={userLinks} signOut={signOut} />
          </div>
        </header>
        {banner ? (
          <aside aria-label="Notice" className="border-line border-b bg-muted px-4 py-2 text-sm lg:px-6">
            {banner}
          </aside>
        ) : null}
        <main
          id="content"
          tabIndex={-1}
          className="w-full max-w-6xl flex-1 px-4 py-6 outline-none lg:px-8 lg:py-8"
        >
          {children}
        </main>
      </div>
      <Toaster />
    </div>
  )
}
