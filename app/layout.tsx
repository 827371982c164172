import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Theme } from '#components/ui/theme.tsx'
import './globals.css'

export const metadata: Metadata = { title: 'PACT Provider', robots: { index: false } }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The theme is known in the browser alone, and set before the page is shown.
    <html lang="en" suppressHydrationWarning>
      <body className="bg-page font-sans text-ink antialiased">
        <Theme>{children}</Theme>
      </body>
    </html>
  )
}
