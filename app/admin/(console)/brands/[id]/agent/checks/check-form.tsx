'use client'

import type { ReactNode } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { saveChecks } from './actions.tsx'
import { dropKeptCheck } from './kept-check.ts'

/** The form of a Brand's checks: once they are saved, the one that was made of what somebody tried is among them. */
export function CheckForm({ id, children }: { id: string; children: ReactNode }) {
  return (
    <ActionForm action={saveChecks} onDone={() => dropKeptCheck(id)} reloadTheirs>
      {children}
    </ActionForm>
  )
}
