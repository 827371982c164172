'use client'

import { CircleUser } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#components/ui/dropdown-menu.tsx'
import type { ShellLink } from './shell-data.ts'
import { ThemeSwitch } from './theme-switch.tsx'

type Props = {
  email: string
  links: readonly ShellLink[]
  /** A form (POST) with one submit button. */
  signOut: ReactNode
}

/** Who is signed in, their own pages, the colours, and the way out. */
export function UserMenu({ email, links, signOut }: Props) {
  return (
    <DropdownMenu
      className="w-60"
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Your account: ${email}`}>
          <CircleUser aria-hidden className="size-5!" />
        </Button>
      }
    >
      <MenuLabel className="break-all">
        Signed in as <bdi className="block font-medium text-ink">{email}</bdi>
      </MenuLabel>
      <MenuSeparator />
      {links.map(({ href, label, icon }) => (
        <MenuItem key={href} asChild>
          <Link href={href}>
            {icon}
            {label}
          </Link>
        </MenuItem>
      ))}
      <ThemeSwitch />
      <MenuSeparator />
      <SignOut>{signOut}</SignOut>
    </DropdownMenu>
  )
}

/** The form's button is the entry: a click or Enter on it anywhere presses the button. */
function SignOut({ children }: { children: ReactNode }) {
  return (
    <MenuItem
      className="p-0 [&_button]:w-full [&_button]:cursor-default [&_button]:px-2.5 [&_button]:py-1.5 [&_button]:text-left [&_form]:w-full"
      onSelect={(event) => {
        // The menu would take the form off the page before it is sent.
        event.preventDefault()
        if (event.currentTarget instanceof Element) event.currentTarget.querySelector('form')?.requestSubmit()
      }}
    >
      {children}
    </MenuItem>
  )
}
