import type { ReactNode } from 'react'

type Props = {
  title: string
  /** What to do next. */
  children?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}

/** In place of a list that has nothing in it. */
export function EmptyState({ title, children, action, icon }: Props) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-card border border-line border-dashed px-6 py-12 text-center">
      {icon ? (
        <span aria-hidden className="text-faint [&_svg]:size-7">
          {icon}
        </span>
      ) : null}
      <p className="font-medium">{title}</p>
      {children ? <div className="max-w-prose text-faint text-sm">{children}</div> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}
