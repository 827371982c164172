import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

const kinds = {
  info: { icon: Info, look: 'border-accent/40 bg-accent-soft', ink: 'text-accent' },
  success: { icon: CircleCheck, look: 'border-success/40 bg-success-soft', ink: 'text-success' },
  warning: { icon: TriangleAlert, look: 'border-warning/40 bg-warning-soft', ink: 'text-warning' },
  danger: { icon: CircleAlert, look: 'border-danger/40 bg-danger-soft', ink: 'text-danger' },
}

type Props = {
  kind?: keyof typeof kinds
  title?: ReactNode
  /** Read out at once when it appears. */
  live?: boolean
  actions?: ReactNode
  className?: string
  children?: ReactNode
}

/** Something that the reader of a page should know. */
export function Alert({ kind = 'info', title, live = false, actions, className, children }: Props) {
  const { icon: Icon, look, ink } = kinds[kind]
  return (
    <div
      role={live ? 'alert' : undefined}
      className={cn('flex gap-3 rounded-card border px-4 py-3 text-sm', look, className)}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', ink)} />
      <div className="min-w-0 flex-1 space-y-1">
        {title ? <p className="font-medium">{title}</p> : null}
        {children ? <div className="break-words">{children}</div> : null}
        {actions ? <div className="flex flex-wrap gap-2 pt-2">{actions}</div> : null}
      </div>
    </div>
  )
}
