import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import './globals.css'

export const metadata: Metadata = { title: 'PACT Provider', robots: { index: false } }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body className="bg-page font-sans text-ink antialiased">
        <main className="mx-auto max-w-3xl px-5 py-12">{children}</main>
      </body>
    </html>
  )
}
