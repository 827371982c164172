'use client'

import { Check, ChevronsUpDown, Store } from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { LazyCommandList, loadCommandList } from '#components/ui/lazy-command-list.tsx'
import { Popover } from '#components/ui/popover.tsx'
import type { ShellBrand } from './shell-data.ts'

type Props = {
  brands: readonly ShellBrand[]
  brand: string | undefined
  /** Where a choice leads when the page shown belongs to one thing of the former Brand. */
  home: string
  /** Says “All Brands” as the first choice. */
  all: boolean
}

/** `/admin/grants/g1` shows one grant, which another Brand does not have: its list is where the choice leads. */
function listOf(path: string, home: string): string {
  const section = path.slice(home.length + 1).split('/')[0]
  return section ? `${home}/${section}` : home
}

/** Which Brand the pages show; typing narrows a long list. */
export function BrandSwitcher({ brands, brand, home, all }: Props) {
  const router = useRouter()
  const path = usePathname()
  const [open, setOpen] = useState(false)
  // Whoever has one Brand alone sees that one, also where the address names none.
  const only = !all && brands.length === 1 ? brands[0] : undefined
  const current = brands.find(({ id }) => id === brand) ?? only
  const shown = current?.name ?? (all ? 'All Brands' : 'Choose a Brand')
  const choices = all ? [{ id: '', name: 'All Brands' }, ...brands] : brands

  function choose(id: string) {
    setOpen(false)
    router.push(hrefWith(listOf(path, home), { brand: id.replace(/^brand:/, '') }))
  }

  return (
    <Popover
      label="Choose a Brand"
      open={open}
      onOpenChange={setOpen}
      className="w-64 p-0"
      trigger={
        <Button
          aria-label={`Brand: ${shown}`}
          onPointerEnter={() => void loadCommandList()}
          className="w-full min-w-0 shrink justify-between px-2.5"
        >
          <span className="flex min-w-0 items-center gap-2">
            <Store aria-hidden className="text-faint" />
            <bdi className="truncate">{shown}</bdi>
          </span>
          <ChevronsUpDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <LazyCommandList
        label="Brands"
        placeholder="Find a Brand…"
        groups={[
          {
            title: 'Brands',
            entries: choices.map(({ id, name }) => ({
              id: `brand:${id}`,
              label: name,
              icon:
                id === (current?.id ?? '') ? <Check aria-label="Shown now" /> : <span className="size-4" />,
            })),
          },
        ]}
        onChoose={({ id }) => choose(id)}
      />
    </Popover>
  )
}
