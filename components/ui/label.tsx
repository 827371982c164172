import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** Names the control whose id `htmlFor` gives. */
export function Label({ className, children, htmlFor, ...rest }: ComponentProps<'label'>) {
  return (
    <label htmlFor={htmlFor} className={cn('font-medium text-ink text-sm', className)} {...rest}>
      {children}
    </label>
  )
}
