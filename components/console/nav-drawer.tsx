'use client'

import { Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Drawer } from '#components/ui/drawer.tsx'

/** The navigation of a small screen, behind a button. */
export function NavDrawer({ children }: { children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <Drawer
      title="Menu"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="icon" aria-label="Open the menu" className="lg:hidden">
          <Menu aria-hidden className="size-5!" />
        </Button>
      }
    >
      {children(() => setOpen(false))}
    </Drawer>
  )
}
