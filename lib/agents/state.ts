import { isStorable } from '#lib/platform/text.ts'
import type { AgentState } from './agent.ts'

/** How many variables a conversation remembers. */
export const MAX_VARIABLES = 32

/** How long a remembered string may be, in UTF-16 units. */
export const MAX_VARIABLE_LENGTH = 1_000

/** How long a variable's name may be, in UTF-16 units. */
export const MAX_NAME_LENGTH = 64

/**
 * Text as it can be stored and sent: without U+0000 and lone surrogates.
 *
 * @param max cut to this many UTF-16 units
 */
export function cutText(text: string, max: number): string {
  const kept = text.slice(0, max).replaceAll('\0', '')
  // A cut through a surrogate pair leaves its first half at the end.
  return (/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept).toWellFormed()
}

/**
 * What is remembered after `assignments` (`null` forgets). The state stays small: strings are cut to 1,000 characters, and
 * of more than 32 variables those that were assigned last stay.
 */
export function assign(
  state: AgentState,
  assignments: Iterable<[string, string | number | boolean | null]>,
): AgentState {
  const variables = new Map(Object.entries(state))
  for (const [name, value] of assignments) {
    variables.delete(name)
    if (value === null) continue
    variables.set(name, typeof value === 'string' ? cutText(value, MAX_VARIABLE_LENGTH) : value)
  }
  return Object.fromEntries([...variables].slice(-MAX_VARIABLES))
}

/** What is wrong with `state` as something to store; undefined when nothing is. */
export function findStateFault(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return 'the state is not an object'
  const entries = Object.entries(state)
  if (entries.length > MAX_VARIABLES) return `the state has more than ${MAX_VARIABLES} variables`
  for (const [name, value] of entries) {
    const fault = findVariableFault(name, value)
    if (fault) return fault
  }
  return undefined
}

function findVariableFault(name: string, value: unknown): string | undefined {
  if (name.length > MAX_NAME_LENGTH || !isStorable(name))
    return 'a variable of the state has an unusable name'
  if (typeof value === 'boolean' || Number.isFinite(value)) return undefined
  if (typeof value !== 'string') return 'a variable of the state is not a string, a number or a boolean'
  if (value.length > MAX_VARIABLE_LENGTH) return 'a variable of the state is too long'
  return isStorable(value) ? undefined : "a variable of the state holds text that can't be stored"
}
