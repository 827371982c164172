'use client'

import { CircleAlert } from 'lucide-react'
import { useId, useRef } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { texts } from './texts.ts'

export type OfferedPermission = { value: string; label: string }

const isReading = (value: string) => value.endsWith('.read')

/** What a token may do: a box for each permission that its maker has, and what checks many of them. */
export function PermissionBoxes({ offered }: { offered: readonly OfferedPermission[] }) {
  const { state, noteChange } = useForm()
  const boxes = useRef<HTMLDivElement>(null)
  const id = useId()
  const errors = state.errors.permissions ?? []
  const typed = state.status === 'idle' ? undefined : [state.values.permissions ?? []].flat()
  const choose = (wanted: (value: string) => boolean) => {
    for (const box of boxes.current?.querySelectorAll('input') ?? []) box.checked = wanted(box.value)
    noteChange()
  }
  return (
    <fieldset
      aria-describedby={errors.length > 0 ? `${id}-error` : undefined}
      className="space-y-3 rounded-card border border-line px-4 py-3"
    >
      <legend className="px-1 font-medium text-sm">{texts.permissions}</legend>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => choose(isReading)}>
          {texts.choose.reading}
        </Button>
        <Button size="small" onClick={() => choose(() => true)}>
          {texts.choose.all}
        </Button>
        <Button size="small" onClick={() => choose(() => false)}>
          {texts.choose.none}
        </Button>
      </div>
      <div ref={boxes} className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {offered.map(({ value, label }) => (
          <div key={value} className="flex items-start gap-2.5 text-sm">
            <Checkbox
              id={`${id}-${value}`}
              name="permissions"
              value={value}
              className="mt-0.5"
              aria-invalid={errors.length > 0 ? true : undefined}
              defaultChecked={typed ? typed.includes(value) : isReading(value)}
            />
            <label htmlFor={`${id}-${value}`} className="min-w-0 cursor-pointer">
              {label} <code className="inline-block text-faint text-xs">{value}</code>
            </label>
          </div>
        ))}
      </div>
      {errors.length > 0 ? (
        <p id={`${id}-error`} className="flex gap-1.5 text-danger text-sm">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {errors.join(' ')}
        </p>
      ) : null}
    </fieldset>
  )
}
