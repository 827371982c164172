import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** The browser's own checkbox, in our colours. */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      type="checkbox"
      className={cn('size-4 shrink-0 cursor-pointer accent-accent disabled:cursor-not-allowed', className)}
      {...rest}
    />
  )
}
