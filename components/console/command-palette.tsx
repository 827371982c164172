'use client'

import { Search } from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { PaletteWindow } from '#components/ui/dialog.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { LazyCommandList, loadCommandList } from '#components/ui/lazy-command-list.tsx'
import { brandHref } from './brand-href.ts'
import type { ShellBrand, ShellLink, ShellSection } from './shell-data.ts'

type Props = {
  sections: readonly ShellSection[]
  brands: readonly ShellBrand[]
  brand: string | undefined
  actions: readonly ShellLink[]
}

/** Ctrl-K or ⌘K: every page, Brand and action by its name. */
export function CommandPalette({ sections, brands, brand, actions }: Props) {
  const router = useRouter()
  const path = usePathname()
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The first half of Ctrl-K: who is quick with the second types into the list at once.
      if (event.key === 'Control' || event.key === 'Meta') void loadCommandList()
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const entry = ({ href, label, icon }: ShellLink) => ({ id: brandHref(href, brand), label, icon })
  const groups = [
    { title: 'Actions', entries: actions.map(entry) },
    ...sections.map(({ title, links }) => ({ title, entries: links.map(entry) })),
    {
      title: 'Brands',
      entries: brands.map(({ id, name }) => ({
        id: hrefWith(path, { brand: id }),
        label: name,
        keywords: [id],
      })),
    },
  ]

  return (
    <>
      <Button
        variant="ghost"
        className="gap-2 text-faint max-sm:size-9 max-sm:px-0 sm:border sm:border-line"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadCommandList()}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden />
        <span className="max-sm:sr-only">Search</span>
        <kbd aria-hidden className="font-sans text-xs max-sm:hidden">
          Ctrl K
        </kbd>
      </Button>
      <PaletteWindow title="Go to a page, a Brand or an action" open={open} onOpenChange={setOpen}>
        <LazyCommandList
          label="Pages, Brands and actions"
          placeholder="Where to?"
          groups={groups}
          onChoose={({ id }) => {
            setOpen(false)
            router.push(id)
          }}
        />
      </PaletteWindow>
    </>
  )
}
