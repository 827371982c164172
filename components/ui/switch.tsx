import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** On or off: a checkbox that is called a switch, so that a form carries it without JavaScript. */
export function Switch({ className, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    <span className={cn('relative inline-flex h-5 w-9 shrink-0', className)}>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
        role="switch"
        className="peer absolute inset-0 m-0 size-full cursor-pointer appearance-none rounded-full border border-edge bg-muted transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-60"
        {...rest}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1 left-1 size-3 rounded-full bg-edge transition-transform peer-checked:translate-x-4 peer-checked:bg-accent-ink"
      />
    </span>
  )
}
