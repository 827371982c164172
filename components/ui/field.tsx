import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'
import { Label } from './label.tsx'

/** What ties a control to its label, hint and errors: spread it over the control. */
export type ControlProps = {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Props = {
  name: string
  label: string
  hint?: ReactNode
  errors?: readonly string[] | undefined
  /** Shown beside the label; most fields are required, so the others say it. */
  optional?: boolean
  /** A checkbox or switch stands before its label. */
  inline?: boolean
  className?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A control with its label, hint and errors. */
export function Field({ name, label, hint, errors = [], optional, inline, className, children }: Props) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', errors.length > 0 ? `${id}-error` : ''].filter(Boolean)
  const control = children({
    id,
    name,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': errors.length > 0 ? true : undefined,
  })
  const caption = (
    <Label htmlFor={id}>
      {label}
      {optional ? <span className="font-normal text-faint"> (optional)</span> : null}
    </Label>
  )
  return (
    <div className={cn('space-y-1.5', className)}>
      {inline ? (
        <div className="flex items-center gap-2.5">
          {control}
          {caption}
        </div>
      ) : (
        <>
          {caption}
          {control}
        </>
      )}
      {hint ? (
        <p id={`${id}-hint`} className="text-faint text-sm">
          {hint}
        </p>
      ) : null}
      {errors.length > 0 ? (
        <div id={`${id}-error`} className="space-y-1 text-danger text-sm">
          {errors.map((error) => (
            <p key={error} className="flex gap-1.5">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {error}
            </p>
          ))}
        </div>
      ) : null}
    </div>
  )
}
