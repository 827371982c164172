import { isStorable } from './text.ts'

/** How deep lists and maps may lie in each other: what walks through them later must come to an end. */
const DEEPEST = 40
/** How much of the way to such a nest is told: enough to find the field that it was typed into. */
const TOLD = 6
/** Of more, nobody reads. */
const MOST_FOUND = 20

/** Something that can't be stored, by the way to it. */
export type Unstorable = { path: (string | number)[]; reason: string }

function look(value: unknown, path: (string | number)[], found: Unstorable[]): void {
  if (found.length >= MOST_FOUND) return
  if (path.length > DEEPEST) {
    found.push({ path: path.slice(0, TOLD), reason: `is nested deeper than ${DEEPEST} levels` })
    return
  }
  if (typeof value === 'string' && !isStorable(value))
    found.push({ path, reason: 'must be well-formed text without U+0000' })
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || !isStorable(key))
      found.push({ path, reason: 'has a key that is no usable name' })
    look(inner, [...path, Array.isArray(value) ? Number(key) : key], found)
  }
}

/**
 * What JSON, YAML and forms let through and no database can hold, or nothing could walk through to its end: U+0000, lone
 * surrogates, keys that mean something to the language, nests without a bottom.
 *
 * @returns at most 20, each by the way to it
 */
export function findUnstorable(value: unknown): Unstorable[] {
  const found: Unstorable[] = []
  look(value, [], found)
  return found
}
