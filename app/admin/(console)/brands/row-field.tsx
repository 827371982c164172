'use client'

import { useForm } from '#components/console/form-context.tsx'
import { Field } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { Textarea } from '#components/ui/textarea.tsx'

type Props = {
  name: string
  label: string
  hint?: string
  value: string
  optional?: boolean
  lines?: boolean
  readOnly?: boolean
  className?: string
  /** Told what is typed. */
  onType?: (text: string) => void
}

/**
 * A field in a row of a list. It keeps its own text: the row's name changes as rows move, so that what was sent under that
 * name may be another row's.
 */
export function RowField({
  name,
  label,
  hint,
  value,
  lines,
  optional = false,
  readOnly,
  className,
  onType,
}: Props) {
  const { state } = useForm()
  const told = (event: { target: { value: string } }) => onType?.(event.target.value)
  const box = { defaultValue: value, onChange: told, ...(readOnly ? { readOnly } : {}) }
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      errors={state.errors[name]}
      optional={optional}
      {...(className ? { className } : {})}
    >
      {(control) =>
        lines ? <Textarea {...box} {...control} /> : <Input autoComplete="off" {...box} {...control} />
      }
    </Field>
  )
}
