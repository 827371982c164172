import { parse } from 'yaml'
import type { BrandInput } from '#lib/brands/schema.ts'
import { isMap } from '#lib/platform/json-map.ts'
import { type Finding, formatPath, type Path } from '#lib/provisioning/fault.ts'
import { readNestedFields } from '../../../../nested-fields.ts'
import { texts } from './texts.ts'
import { UnreadableFormError } from './unreadable-form.ts'

export type AgentInput = BrandInput['agent']

function findIn(place: unknown, step: string | number): unknown {
  if (Array.isArray(place)) return place[Number(step)]
  return isMap(place) ? place[step] : undefined
}

type Row = Readonly<Record<string, unknown>>

/** Reads the fields of an agent's forms, and remembers which could not be read. */
export class AgentForm {
  readonly fields: Row
  readonly findings: Finding[] = []
  private readonly fieldPaths = new Map<string, { value: Path; key: Path }>()

  constructor(data: FormData) {
    this.fields = readNestedFields(data)
  }

  /** The rows of the list at a place; the numbers in their names may have gaps. */
  rows(...path: (string | number)[]): { row: Row; at: Path }[] {
    const list = path.reduce<unknown>(findIn, this.fields)
    if (!Array.isArray(list)) return []
    return list.flatMap((row: unknown, index) => (isMap(row) ? [{ row, at: [...path, index] }] : []))
  }

  /** What YAML says; undefined where there is nothing. */
  yaml(row: Row, name: string, at: Path = []): unknown {
    const text = readText(row, name)
    if (text === undefined) return undefined
    try {
      return parse(text, { maxAliasCount: 100, logLevel: 'error' }) ?? undefined
    } catch (error) {
      const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : []
      this.findings.push({ path: [...at, name], reason: texts.yaml(line.slice(0, 200)) })
      return undefined
    }
  }

  /** A value's field has another path than the value, and so has the field of its key. */
  standIn(path: Path, fields: { value: Path; key: Path }): void {
    this.fieldPaths.set(formatPath(path), fields)
  }

  /** Findings by the paths of fields, where those are others than their values'. */
  atFields(findings: readonly Finding[]): Finding[] {
    return findings.map((each) => {
      const fields = this.fieldPaths.get(formatPath(each.path))
      return fields ? { ...each, path: each.atKey ? fields.key : fields.value } : each
    })
  }

  /** @throws UnreadableFormError */
  assertReadable(): void {
    if (this.findings.length > 0) throw new UnreadableFormError(this.findings)
  }
}

/** The fields below a part of a row: `when.match` is `match` of the part `when`. */
export function readPart(row: Row, name: string): Row {
  const part = row[name]
  return isMap(part) ? part : {}
}

/** A field's text, trimmed; undefined where it is empty. */
export function readText(row: Row, name: string): string | undefined {
  const value = row[name]
  return typeof value === 'string' ? value.trim() || undefined : undefined
}

/** A field's text as it was typed, spaces and all; undefined where there is nothing but those. */
export function readTyped(row: Row, name: string): string | undefined {
  const value = row[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The lines that are not blank, as they were typed; undefined where there are none. */
export function readLines(row: Row, name: string): string[] | undefined {
  const lines = readTyped(row, name)?.split('\n')
  return lines?.filter((line) => line.trim() !== '')
}

/** A number; what is none stays text, for the check to complain of. */
export function readNumber(row: Row, name: string): number | string | undefined {
  const text = readText(row, name)
  return text === undefined || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Texts between commas; undefined where there are none. */
export function readList(row: Row, name: string): string[] | undefined {
  const parts = (readText(row, name) ?? '').split(',').map((part) => part.trim())
  const given = parts.filter((part) => part !== '')
  return given.length > 0 ? given : undefined
}

/** The entries that have a value. */
export function given(entries: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
}
