import type { ReactNode } from 'react'

/** A page that has one thing to say, and what to do next. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      <div className="mt-4 space-y-4 text-faint leading-relaxed">{children}</div>
    </>
  )
}
