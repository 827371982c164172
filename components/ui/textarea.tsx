import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { controlStyle } from './input.tsx'

/** Text of several lines; it grows with what is typed. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={cn(controlStyle, 'field-sizing-content min-h-20 py-2 leading-relaxed', className)}
      {...rest}
    />
  )
}
