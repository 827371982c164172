'use client'

import type { ComponentProps, ReactNode } from 'react'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect, type Option } from '#components/ui/native-select.tsx'
import { Switch } from '#components/ui/switch.tsx'
import { Textarea } from '#components/ui/textarea.tsx'
import { useForm } from './form-context.tsx'
import { textOf } from './form-state.ts'

type Common = { name: string; label: string; hint?: ReactNode; optional?: boolean; className?: string }

/** What a field of an `ActionForm` shows: its errors, and what was typed before the page came anew. */
function useField({ name, label, hint, optional, className }: Common) {
  const { state } = useForm()
  const field = { name, label, hint, className, errors: state.errors[name], optional: optional ?? false }
  return { field, typed: state.values[name] }
}

type TextProps = Common & Omit<ComponentProps<'input'>, keyof Common>

export function TextField({ name, label, hint, optional, className, defaultValue, ...rest }: TextProps) {
  const { field, typed } = useField({ name, label, hint, ...given({ optional, className }) })
  return (
    <Field {...field}>
      {(control) => <Input {...rest} {...control} defaultValue={textOf(typed) ?? defaultValue} />}
    </Field>
  )
}

type AreaProps = Common & Omit<ComponentProps<'textarea'>, keyof Common>

export function TextAreaField({ name, label, hint, optional, className, defaultValue, ...rest }: AreaProps) {
  const { field, typed } = useField({ name, label, hint, ...given({ optional, className }) })
  return (
    <Field {...field}>
      {(control) => <Textarea {...rest} {...control} defaultValue={textOf(typed) ?? defaultValue} />}
    </Field>
  )
}

type SelectProps = Common & { options: readonly Option[]; defaultValue?: string; disabled?: boolean }

export function SelectField({ options, defaultValue, disabled = false, ...common }: SelectProps) {
  const { field, typed } = useField(common)
  return (
    <Field {...field}>
      {(control) => (
        <NativeSelect
          {...control}
          options={options}
          disabled={disabled}
          defaultValue={textOf(typed) ?? defaultValue}
        />
      )}
    </Field>
  )
}

type BoxProps = Common & { value?: string; defaultChecked?: boolean; disabled?: boolean }

/** A box that is not checked is absent from the form, as in every browser. */
function useBox({ value = 'on', defaultChecked = false, disabled = false, ...common }: BoxProps) {
  const { state } = useForm()
  const { field, typed } = useField(common)
  const sent = state.status === 'invalid' || state.status === 'failed' || state.status === 'conflict'
  const checked = sent ? [typed].flat().includes(value) : defaultChecked
  return { field, box: { value, disabled, defaultChecked: checked } }
}

export function CheckboxField(props: BoxProps) {
  const { field, box } = useBox(props)
  return (
    <Field {...field} inline>
      {(control) => <Checkbox {...control} {...box} />}
    </Field>
  )
}

export function SwitchField(props: BoxProps) {
  const { field, box } = useBox(props)
  return (
    <Field {...field} inline>
      {(control) => <Switch {...control} {...box} />}
    </Field>
  )
}

export function HiddenField({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} defaultValue={value} />
}

function given(parts: { optional: boolean | undefined; className: string | undefined }) {
  return {
    ...(parts.optional === undefined ? {} : { optional: parts.optional }),
    ...(parts.className === undefined ? {} : { className: parts.className }),
  }
}
