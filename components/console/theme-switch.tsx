'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { MenuLabel, MenuRadioGroup } from '#components/ui/dropdown-menu.tsx'

const choices = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'As my device', icon: <Monitor aria-hidden /> },
]

/** Light, dark, or as the device has it: three entries of a menu. */
export function ThemeSwitch() {
  const { theme = 'system', setTheme } = useTheme()
  return (
    <>
      <MenuLabel>Colours</MenuLabel>
      <MenuRadioGroup value={theme} onValueChange={setTheme} choices={choices} />
    </>
  )
}
