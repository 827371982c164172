import { type AgentForm, readText, readTyped } from './agent-form.ts'
import { texts } from './texts.ts'

/** A name and its value as fields show them: an argument of a call, something that a rule remembers. */
export type PairRow = { name: string; value: string }

type Value = string | number | boolean | null

const words = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** A number, where it is written as numbers are: what would come back otherwise, as long digits do, is text. */
function readNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : undefined
}

function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A value of a field: a number, `true`, `false` or `null`; else a text, in quotes where it would be read as one of those.
 *
 * @returns undefined for what stands in quotes and is no JSON string: it would be another text than was meant
 */
export function readValue(text: string): Value | undefined {
  const bare = text.trim()
  if (/^".*"$/s.test(bare)) return unquote(bare)
  const word = words.get(bare)
  return word !== undefined ? word : (readNumber(bare) ?? text)
}

/** What {@link readValue} reads as that value. Lines stay lines, where a form sends them as they are. */
export function showValue(value: Value): string {
  if (typeof value !== 'string') return String(value)
  const isSent = value.trim() !== '' && !value.includes('\r')
  const isPlain = isSent && !value.trimStart().startsWith('"') && readValue(value) === value
  return isPlain ? value : JSON.stringify(value)
}

/** A map as its rows. */
export function toPairRows(values: Readonly<Record<string, Value>> = {}): PairRow[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: showValue(value) }))
}

/**
 * The map that a form's rows say; undefined where there are none. What is wrong with a value later stands at its row.
 *
 * @param path of the map: its rows stand there too
 */
export function readPairs(form: AgentForm, ...path: (string | number)[]): Record<string, Value> | undefined {
  const entries = new Map<string, Value>()
  for (const { row, at } of form.rows(...path)) {
    const name = readText(row, 'name')
    const value = readTyped(row, 'value')
    if (name === undefined && value === undefined) continue
    const fault = name === undefined ? texts.required : entries.has(name) ? texts.twice : undefined
    if (fault !== undefined) form.findings.push({ path: [...at, 'name'], reason: fault })
    const read = readValue(value ?? '')
    if (read === undefined) form.findings.push({ path: [...at, 'value'], reason: texts.scripted.badQuotes })
    entries.set(name ?? '', read === undefined ? '' : read)
    form.standIn([...path, name ?? ''], { value: [...at, 'value'], key: [...at, 'name'] })
  }
  return entries.size > 0 ? Object.fromEntries(entries) : undefined
}
