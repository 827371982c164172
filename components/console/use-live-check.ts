'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { findTyped } from './form-controls.ts'
import type { FormState } from './form-state.ts'

/** Says what is wrong with a form's fields, by their names. */
export type LiveCheck = (data: FormData) => Promise<FormState['errors']>

/** How long nobody types before the fields are looked at, in milliseconds. */
const PAUSE = 350

/**
 * Looks at a form's fields while somebody types. Only what was touched is complained of: an empty field further down is not
 * wrong yet.
 *
 * @returns the errors to show, and `look`, for each change
 */
export function useLiveCheck(
  form: RefObject<HTMLFormElement | null>,
  state: FormState,
  check: LiveCheck | undefined,
) {
  const [found, setFound] = useState<{ of: FormState; errors: FormState['errors'] }>()
  const touched = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turn = useRef(0)

  async function run() {
    if (!form.current || !check) return
    turn.current += 1
    const mine = turn.current
    try {
      const errors = await check(new FormData(form.current))
      if (mine === turn.current) setFound({ of: state, errors })
    } catch {
      // A lost connection shows when the form is sent.
    }
  }

  function look(control?: Element) {
    if (!check) return
    const name = control?.getAttribute('name')
    if (name) touched.current.add(name)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void run(), PAUSE)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before this script ran
  useEffect(() => {
    const typed = form.current ? findTyped(form.current) : undefined
    if (typed) look(typed)
    return () => clearTimeout(timer.current)
  }, [])

  // An answer to the form itself is newer than what was found before.
  if (!found || found.of !== state) return { errors: state.errors, look }
  const shown = Object.entries(found.errors).filter(
    ([name]) => touched.current.has(name) || name in state.errors,
  )
  return { errors: Object.fromEntries(shown), look }
}
