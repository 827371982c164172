import { TextAreaField, TextField } from '#components/console/form-field.tsx'
import { texts } from './texts.ts'

const { fields } = texts

/** Name and description, as the card shows them. */
export function CardFields({
  name,
  description,
  disabled = false,
}: {
  name?: string
  description?: string
  disabled?: boolean
}) {
  const rest = disabled ? { readOnly: true } : {}
  return (
    <>
      <TextField
        {...rest}
        name="name"
        label={fields.name}
        hint={fields.nameHint}
        defaultValue={name}
        autoComplete="off"
      />
      <TextAreaField
        {...rest}
        name="description"
        label={fields.description}
        hint={fields.descriptionHint}
        defaultValue={description}
      />
    </>
  )
}
