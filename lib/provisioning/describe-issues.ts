import type { z } from 'zod'
import { isMap } from '#lib/platform/json-map.ts'
import { findUnstorable } from '#lib/platform/storable.ts'
import type { Finding, Path } from './fault.ts'
import { findSimilar, knownKeys } from './known-keys.ts'

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  null: 'null',
}

function nameKind(kind: string): string {
  return kinds[kind] ?? kind
}

function describeValue(value: unknown): string {
  if (value === null) return 'it is empty'
  if (Array.isArray(value)) return 'it is a list'
  if (typeof value === 'object') return 'it is a map'
  return `it is ${nameKind(typeof value)}`
}

function describeSize(issue: { origin: string }, bound: number | bigint, word: string): string {
  const one = Number(bound) === 1
  if (issue.origin === 'array') return `must have ${word} ${bound} ${one ? 'entry' : 'entries'}`
  if (issue.origin === 'string') return `must have ${word} ${bound} ${one ? 'character' : 'characters'}`
  return `must be ${word} ${bound}`
}

function joinAlternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}

/** A map whose kind is told by one key: what that key may be. */
function describeDiscriminator(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined {
  if (!('options' in issue) || !Array.isArray(issue.options)) return undefined
  const given = isMap(issue.input) ? issue.input[String(issue.discriminator)] : undefined
  const options = joinAlternatives(issue.options.map(String))
  return given === undefined ? `is required: ${options}` : `must be ${options}`
}

/** What zod calls an issue, in the words of somebody who writes the file. Messages of the schema itself go first. */
const describe: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${nameKind(issue.expected)}; ${describeValue(issue.input)}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `must be ${joinAlternatives(issue.values.map(String))}`
    case 'too_small':
      return describeSize(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')
    case 'too_big':
      return describeSize(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : 'does not have the right form'
    case 'invalid_union':
      return describeDiscriminator(issue)
    default:
      return undefined
  }
}

function toPath(path: readonly PropertyKey[]): Path {
  return path.map((step) => (typeof step === 'symbol' ? String(step) : step))
}

function unknownKey(schema: z.ZodType, parent: Path, key: string): Finding {
  const known = knownKeys(schema, parent)
  const similar = findSimilar(key, known)
  const hint = similar
    ? `; did you mean \`${similar}\`?`
    : known.length > 0
      ? `; known here: ${known.join(', ')}`
      : ''
  return { path: [...parent, key], reason: `unknown key \`${key}\`${hint}`, atKey: true }
}

/** The kind of value that a union's member wants, if it complains of nothing else. */
function wrongKind([first, ...more]: readonly Issue[]): string | undefined {
  return first?.code === 'invalid_type' && first.path.length === 0 && more.length === 0
    ? nameKind(first.expected)
    : undefined
}

/** A value that fits no member of a union: of those of its kind, the one with the fewest complaints is what was meant. */
function describeUnion(schema: z.ZodType, issue: z.core.$ZodIssueInvalidUnion, path: Path): Finding[] {
  if (issue.errors.length === 0) return [{ path, reason: issue.message }]
  const ofItsKind = issue.errors.filter((issues) => wrongKind(issues) === undefined)
  if (ofItsKind.length === 0) {
    const kindsWanted = new Set(issue.errors.flatMap((issues) => wrongKind(issues) ?? []))
    return [{ path, reason: `must be ${joinAlternatives([...kindsWanted])}` }]
  }
  const complaints = ofItsKind.map((issues) => issues.flatMap((each) => describeIssue(schema, each, path)))
  return complaints.reduce((best, each) => (each.length < best.length ? each : best))
}

function describeIssue(schema: z.ZodType, issue: Issue, around: Path): Finding[] {
  const path = [...around, ...toPath(issue.path)]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(schema, path, key))
  if (issue.code === 'invalid_union') return describeUnion(schema, issue, path)
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => ({ path, reason: message, atKey: true }))
  }
  return [{ path, reason: issue.message }]
}

/**
 * Checks `value` against `schema`. What can't be stored is found first, and hides all else: no schema need look for it.
 *
 * @returns the parsed value, or everything that is wrong with it, in words
 */
export function checkSchema<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { ok: true; value: T } | { ok: false; findings: Finding[] } {
  const unstorable = findUnstorable(value)
  if (unstorable.length > 0) return { ok: false, findings: unstorable }
  const parsed = schema.safeParse(value, { error: describe })
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, findings: parsed.error.issues.flatMap((issue) => describeIssue(schema, issue, [])) }
}
