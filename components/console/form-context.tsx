'use client'

import { createContext, useContext } from 'react'
import { type FormState, idle } from './form-state.ts'

type FormContents = { state: FormState; pending: boolean }

export const FormContext = createContext<FormContents>({ state: idle, pending: false })

/** The state of the form around a field or button. */
export function useForm(): FormContents {
  return useContext(FormContext)
}
