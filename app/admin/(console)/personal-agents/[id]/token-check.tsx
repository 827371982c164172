import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, TextAreaField } from '#components/console/form-field.tsx'
import { FormResult } from '#components/console/form-result.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { checkToken } from '../check-token.tsx'
import { texts } from '../texts.ts'

const { check: words } = texts

/** Takes a token, and says what a request with it would meet. */
export function TokenCheck({ agentId }: { agentId: string }) {
  return (
    <Card title={words.title} description={words.description}>
      <ActionForm action={checkToken} warnUnsaved={false} className="space-y-4">
        <HiddenField name="id" value={agentId} />
        <TextAreaField
          name="token"
          label={words.field}
          hint={words.fieldHint}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-xs"
        />
        <SubmitButton variant="secondary">{words.submit}</SubmitButton>
        <FormResult label={words.result} />
      </ActionForm>
    </Card>
  )
}
