'use client'

import { useTheme } from 'next-themes'
import { Toaster as Sonner } from 'sonner'

const themes = ['light', 'dark', 'system'] as const

/** Where short messages appear: once per page, in the shell. */
export function Toaster() {
  const { theme } = useTheme()
  return (
    <Sonner
      theme={themes.find((known) => known === theme) ?? 'system'}
      position="bottom-right"
      closeButton
      toastOptions={{
        className: '!rounded-card !border-line !bg-panel !text-ink !font-sans !shadow-float',
      }}
    />
  )
}
