import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'

type Props = Omit<ComponentProps<'section'>, 'title'> & {
  title?: ReactNode
  description?: ReactNode
  /** Buttons or links beside the title. */
  actions?: ReactNode
  footer?: ReactNode
  /** Without the padding around the content: for a table that reaches the edges. */
  flush?: boolean
}

/** A part of a page, with its own title (a second-level heading). */
export function Card({
  title,
  description,
  actions,
  footer,
  flush = false,
  className,
  children,
  ...rest
}: Props) {
  return (
    <section className={cn('rounded-card border border-line bg-panel shadow-card', className)} {...rest}>
      {title ? (
        <header className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4">
          <div className="min-w-0">
            <h2 className="font-semibold">{title}</h2>
            {description ? <p className="mt-1 text-faint text-sm">{description}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={flush ? 'mt-3 overflow-hidden rounded-b-card' : 'px-5 py-4'}>{children}</div>
      {footer ? <footer className="border-line border-t px-5 py-3 text-sm">{footer}</footer> : null}
    </section>
  )
}
