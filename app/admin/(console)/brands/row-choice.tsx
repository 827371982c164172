'use client'

import { useEffect, useRef } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Field } from '#components/ui/field.tsx'
import { NativeSelect, type Option } from '#components/ui/native-select.tsx'

type Props = {
  name: string
  label: string
  options: readonly Option[]
  value: string
  disabled: boolean
  /** Told what is chosen. */
  onChoose?: (value: string) => void
}

/** A choice in a row of a list. */
export function RowChoice({ name, label, options, value, disabled, onChoose }: Props) {
  const { state } = useForm()
  const choice = useRef<HTMLSelectElement>(null)

  // A browser may have kept another choice, or somebody was faster than the script.
  useEffect(() => {
    if (choice.current && choice.current.value !== value) onChoose?.(choice.current.value)
  }, [value, onChoose])

  return (
    <Field name={name} label={label} errors={state.errors[name]}>
      {(control) => (
        <NativeSelect
          {...control}
          ref={choice}
          options={options}
          defaultValue={value}
          disabled={disabled}
          onChange={(event) => onChoose?.(event.target.value)}
        />
      )}
    </Field>
  )
}
