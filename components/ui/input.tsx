import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export const controlStyle =
  'w-full rounded-control border border-edge bg-panel px-3 text-ink text-sm placeholder:text-faint disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted aria-invalid:border-danger'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(controlStyle, 'h-9', className)} {...rest} />
}
