'use client'

import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'

/** Sets `color-scheme` on the page, which every `light-dark()` colour follows. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" disableTransitionOnChange>
      {children}
    </ThemeProvider>
  )
}
