'use client'

import { createContext, useContext } from 'react'
import { type FormState, idle } from './form-state.ts'

type FormContents = {
  state: FormState
  pending: boolean
  /** Something changed that no field tells of: a row of a list came, went or moved. */
  noteChange: () => void
}

export const FormContext = createContext<FormContents>({
  state: idle,
  pending: false,
  noteChange: () => undefined,
})

/** The state of the form around a field or button. */
export function useForm(): FormContents {
  return useContext(FormContext)
}
