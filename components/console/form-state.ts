import type { ReactNode } from 'react'

/** What a server action of the console answers to a form. */
export type FormState = {
  status: 'idle' | 'done' | 'invalid' | 'conflict' | 'failed'
  /** One sentence for the person who pressed the button. */
  message?: string
  /** By the field's name; '' holds what belongs to no field. */
  errors: Record<string, string[]>
  /** What was typed; after a conflict, `version` holds the newer version. */
  values: Record<string, string | string[]>
  /** The fields that somebody else has changed meanwhile. */
  conflict?: { field: string; yours: string; theirs: string }[]
  /** What the action found out, for a `FormResult`: `summary` is read out at once. */
  result?: { summary: string; details: ReactNode }
}

export type FormAction = (state: FormState, data: FormData) => Promise<FormState>

/** The state of a form that nobody has sent yet. */
export const idle: FormState = { status: 'idle', errors: {}, values: {} }

export const connectionLost = 'Nothing was saved. Check your connection and try again.'
export const ourFault = 'Something went wrong on our side. Look at whether it was saved before you try again.'

/** What was typed into a form, without its files and the framework's own fields. */
export function typedValues(data: FormData): FormState['values'] {
  const values: FormState['values'] = {}
  for (const name of new Set(data.keys())) {
    if (name.startsWith('$ACTION_')) continue
    const texts = data.getAll(name).filter((value) => typeof value === 'string')
    values[name] = texts.length === 1 ? (texts[0] ?? '') : texts
  }
  return values
}

/** An answer whose page does not get back what was typed into some fields: secrets. @param isSecret by a field's name */
export function withoutTyped(answer: FormState, isSecret: (name: string) => boolean): FormState {
  const kept = Object.entries(answer.values).filter(([name]) => !isSecret(name))
  return { ...answer, values: Object.fromEntries(kept) }
}

/** The first text of a value; undefined when the form had no such field. */
export function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
