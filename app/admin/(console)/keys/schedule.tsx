import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import type { KeyTimeline } from '#lib/keys/key-timeline.ts'
import { scheduleAction } from './actions.ts'
import { texts } from './texts.ts'

const { schedule } = texts
/** As the Brand's settings name it: errors and conflicts stand there. */
const FIELD = 'keys.rotateEveryDays'

/** How often the Brand's active key is replaced by itself, and the form that changes it for those who may. */
export function Schedule({ brand, writable }: { brand: KeyTimeline['brand']; writable: boolean }) {
  const { id, version, rotateEveryDays } = brand
  return (
    <Card title={schedule.title} description={schedule.description}>
      {writable ? (
        <ActionForm action={scheduleAction} labels={{ [FIELD]: schedule.days }}>
          <HiddenField name="id" value={id} />
          <HiddenField name="version" value={version.toISOString()} />
          <TextField
            name={FIELD}
            label={schedule.days}
            hint={schedule.hint}
            optional
            inputMode="decimal"
            className="max-w-64"
            defaultValue={rotateEveryDays === null ? '' : String(rotateEveryDays)}
          />
          <SubmitButton variant="secondary">{schedule.save}</SubmitButton>
        </ActionForm>
      ) : (
        <p className="text-sm">
          {rotateEveryDays === null ? schedule.off : schedule.on(texts.every(rotateEveryDays))}
        </p>
      )}
    </Card>
  )
}
