import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** The region in which a wide table scrolls: it takes the focus, so that arrow keys scroll it. */
export function TableRegion({ label, className, ...rest }: ComponentProps<'section'> & { label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className={cn('overflow-x-auto', className)} {...rest} />
  )
}

export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cn('w-full border-collapse text-left text-sm', className)} {...rest} />
}

export function TableHead({ className, ...rest }: ComponentProps<'thead'>) {
  return <thead className={cn('border-line border-b bg-muted/60', className)} {...rest} />
}

export function TableBody({ className, ...rest }: ComponentProps<'tbody'>) {
  return <tbody className={cn('divide-y divide-line', className)} {...rest} />
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr className={cn('hover:bg-muted/40', className)} {...rest} />
}

export function HeaderCell({ className, scope = 'col', ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope={scope}
      className={cn('whitespace-nowrap px-4 py-2 font-medium text-faint text-xs', className)}
      {...rest}
    />
  )
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={cn('px-4 py-2.5 align-top', className)} {...rest} />
}
