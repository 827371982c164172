import { TextField } from '#components/console/form-field.tsx'
import type { LimitOverrides, Limits } from '#lib/identity/schema.ts'
import { limitFields } from './read-form.ts'
import { texts } from './texts.ts'

type Props = { limits: LimitOverrides | undefined; defaults: Limits }

/** A personal agent's own limits; the Provider's stand behind them. */
export function LimitFields({ limits, defaults }: Props) {
  const { fields } = texts
  return (
    <fieldset className="space-y-4">
      <legend className="font-medium text-sm">{fields.limits}</legend>
      <p className="text-faint text-sm">{fields.limitsHint}</p>
      {(['perPersonalAgent', 'perUser'] as const).map((which) => (
        <fieldset key={which} className="space-y-2">
          <legend className="text-sm">{fields[which]}</legend>
          <div className="grid grid-cols-2 gap-3 sm:max-w-md">
            {(['requests', 'perSeconds'] as const).map((part) => (
              <TextField
                key={part}
                name={limitFields[which][part]}
                label={fields[part]}
                inputMode="decimal"
                autoComplete="off"
                defaultValue={limits?.[which]?.[part]}
                placeholder={String(defaults[which][part])}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </fieldset>
  )
}
