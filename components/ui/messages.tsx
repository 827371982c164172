'use client'

import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import { showWith } from './notify.ts'

const themes = ['light', 'dark', 'system'] as const

/** Where short messages appear. */
export function Messages() {
  const { theme } = useTheme()
  useEffect(() => showWith(({ kind, text }) => void toast[kind](text)), [])
  return (
    <Toaster
      theme={themes.find((known) => known === theme) ?? 'system'}
      position="bottom-right"
      closeButton
      toastOptions={{
        className: '!rounded-card !border-line !bg-panel !text-ink !font-sans !shadow-float',
      }}
    />
  )
}
