import Link from 'next/link'
import type { ReactNode } from 'react'

type Props = {
  label: string
  value: ReactNode
  /** What the figure is compared with, or counts. */
  detail?: ReactNode
  /** Where the figure comes from. */
  href?: string
}

/** One figure, and what it counts. */
export function StatTile({ label, value, detail, href }: Props) {
  return (
    <div className="relative rounded-card border border-line bg-panel px-4 py-3 shadow-card has-[a]:hover:border-edge">
      <p className="text-faint text-sm">
        {href ? (
          <Link href={href} className="after:absolute after:inset-0">
            {label}
          </Link>
        ) : (
          label
        )}
      </p>
      <p className="mt-1 font-semibold text-2xl tabular-nums tracking-tight">{value}</p>
      {detail ? <p className="mt-0.5 text-faint text-sm">{detail}</p> : null}
    </div>
  )
}
