'use client'

import { cn } from '#components/ui/class-names.ts'
import { useForm } from './form-context.tsx'

/** What the action of the `ActionForm` around it found out, for a form that asks and changes nothing. */
export function FormResult({ label, className }: { label: string; className?: string }) {
  const { state, pending } = useForm()
  const { result } = state
  return (
    <section
      aria-label={label}
      aria-busy={pending}
      className={cn('space-y-3', pending && 'opacity-60', className)}
    >
      <p role="status" className="font-medium">
        {result?.summary ?? ''}
      </p>
      {result?.details}
    </section>
  )
}
