'use client'

import type { ReactNode } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { textOf } from '#components/console/form-state.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { texts } from './texts.ts'

/** The fields of an invitation and, once it is made, its link. */
export function FieldsThenLink({ onAnother, children }: { onAnother: () => void; children: ReactNode }) {
  const { state } = useForm()
  const link = textOf(state.values.link)
  if (state.status !== 'done') return children
  return (
    <Alert kind="success" live title={`${link ? texts.link : texts.invited} ${textOf(state.values.email)}`}>
      <p>
        {link ? texts.linkHint : ''} {textOf(state.values.mail)}
      </p>
      {link ? (
        <CodeBlock label={texts.link} className="mt-3">
          {link}
        </CodeBlock>
      ) : null}
      <Button className="mt-3" onClick={onAnother}>
        {texts.another}
      </Button>
    </Alert>
  )
}
