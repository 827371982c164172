'use client'

import { Columns3 } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { DropdownMenu, MenuCheckbox } from '#components/ui/dropdown-menu.tsx'

type Choice = { id: string; label: string; shown: boolean; toggle: (shown: boolean) => void }

/** Which columns of a table are shown. */
export function ColumnMenu({ columns }: { columns: readonly Choice[] }) {
  return (
    <div className="hidden justify-end md:flex">
      <DropdownMenu
        trigger={
          <Button size="small" variant="ghost">
            <Columns3 aria-hidden /> Columns
          </Button>
        }
      >
        {columns.map(({ id, label, shown, toggle }) => (
          <MenuCheckbox key={id} checked={shown} onCheckedChange={toggle}>
            {label}
          </MenuCheckbox>
        ))}
      </DropdownMenu>
    </div>
  )
}
