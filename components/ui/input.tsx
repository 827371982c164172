import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export const controlStyle =
  'w-full rounded-control border border-edge bg-panel px-3 text-ink text-sm placeholder:text-faint disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted aria-invalid:border-danger'

const fileStyle =
  'py-1 pl-1 file:mr-3 file:h-6.5 file:rounded-control file:border-0 file:bg-muted file:px-2.5 file:text-ink'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type={type}
      className={cn(controlStyle, 'h-9', type === 'file' && fileStyle, className)}
      {...rest}
    />
  )
}
