import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

const style = cva(
  'inline-flex max-w-full items-center gap-1.5 truncate whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
  {
    variants: {
      state: {
        neutral: 'bg-muted text-faint',
        active: 'bg-success-soft text-success',
        info: 'bg-accent-soft text-accent',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
      },
    },
    defaultVariants: { state: 'neutral' },
  },
)

type Props = VariantProps<typeof style> & { className?: string; children: ReactNode }

export type BadgeState = NonNullable<Props['state']>

/** The state of a thing in one or two words; the colour never says it alone. */
export function Badge({ state, className, children }: Props) {
  return (
    <span className={cn(style({ state }), className)}>
      <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" />
      {children}
    </span>
  )
}
