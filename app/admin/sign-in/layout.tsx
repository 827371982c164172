import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Card } from '#components/ui/card.tsx'

export const metadata: Metadata = { title: 'Sign in – PACT Provider' }

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-5 py-12">
      <Card className="p-6 sm:p-8">{children}</Card>
    </main>
  )
}
