import type { ReactNode } from 'react'

/** The narrow column in which pages outside the console stand. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return <main className="mx-auto max-w-3xl px-5 py-12">{children}</main>
}
