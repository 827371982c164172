'use client'

import { type ReactNode, useState } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import type { FormAction, FormState } from '#components/console/form-state.ts'
import { CardPreview, type PreviewCard } from './card-preview.tsx'

/** What a look at a form's fields finds, and the card that they make. */
export type Draft = { errors: FormState['errors']; card: PreviewCard | undefined }

type Props = {
  action: FormAction
  draft: (data: FormData) => Promise<Draft>
  card: PreviewCard
  children: ReactNode
}

/** A form of what a card shows, with the card beside it as it would be. */
export function PreviewedForm({ action, draft, card, children }: Props) {
  const [shown, setShown] = useState(card)
  async function check(data: FormData) {
    const found = await draft(data)
    if (found.card) setShown(found.card)
    return found.errors
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <ActionForm action={action} check={check} reloadTheirs>
        {children}
      </ActionForm>
      <CardPreview card={shown} />
    </div>
  )
}
