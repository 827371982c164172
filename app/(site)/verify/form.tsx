'use client'

import { useActionState, useId } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { Textarea } from '#components/ui/textarea.tsx'
import { verifyAction } from './actions.ts'
import { texts } from './texts.ts'
import { Verdict } from './verdict.tsx'

/** The place to paste a receipt, and what is to say of it. Works without scripts. */
export function VerifyForm() {
  const [state, action, pending] = useActionState(verifyAction, { content: '' })
  const id = useId()
  return (
    <>
      <form action={action} className="mt-6 space-y-4">
        <Field
          name="receipt"
          label={texts.label}
          hint={texts.hint}
          errors={state.error === undefined ? [] : [state.error]}
        >
          {(control) => (
            <Textarea
              {...control}
              key={state.content}
              defaultValue={state.content}
              rows={8}
              required
              spellCheck={false}
              autoComplete="off"
              className="max-h-96 break-all font-mono"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" pending={pending} aria-controls={id}>
          {texts.submit}
        </Button>
      </form>
      <div id={id} aria-live="polite" className="mt-8">
        {state.verdict && !pending ? <Verdict verdict={state.verdict} /> : null}
      </div>
    </>
  )
}
