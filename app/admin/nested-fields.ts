import { type Finding, formatPath } from '#lib/provisioning/fault.ts'

/** More entries than any list of a form has. */
const MOST_ENTRIES = 1_000

type Nested = { [key: string]: unknown }

function steps(name: string): (string | number)[] {
  return [...name.matchAll(/([^.[\]]+)|\[(\d{1,4})\]/g)].map(([, key, index]) => key ?? Number(index))
}

function put(root: Nested, path: readonly (string | number)[], value: unknown): void {
  let place: Nested = root
  for (const [at, step] of path.entries()) {
    if (step === '__proto__' || (typeof step === 'number' && step >= MOST_ENTRIES)) return
    if (at === path.length - 1) {
      place[step] = value
      return
    }
    place[step] ??= typeof path[at + 1] === 'number' ? [] : Object.create(null)
    const next = place[step]
    if (typeof next !== 'object' || next === null) return
    place = next as Nested
  }
}

/**
 * A form's texts as the maps and lists that its fields' names write: `skills[1].name`. It is the way in which findings name
 * fields. Of several fields of one name the first counts. Lines end in `\n`: browsers send other ends than they were given.
 */
export function readNestedFields(data: FormData): Nested {
  const root: Nested = Object.create(null)
  for (const name of new Set(data.keys())) {
    const value = data.get(name)
    if (typeof value === 'string' && !name.startsWith('$ACTION_'))
      put(root, steps(name), value.replaceAll('\r\n', '\n'))
  }
  return root
}

/** The field of a path: its own, the next one around it, or the first one of the row, or of the part of a row, that it is about. */
function findField(path: Finding['path'], names: ReadonlySet<string>): string | undefined {
  const around = path.map((_, index) => formatPath(path.slice(0, path.length - index)))
  const found = around.find((name) => names.has(name))
  if (found !== undefined || !path.some((step) => typeof step === 'number')) return found
  return [...names].find((name) => ['.', '['].some((next) => name.startsWith(`${around[0]}${next}`)))
}

/**
 * Findings by the fields of a form at which they stand. What has no field says in its text what it is about, under ''.
 */
export function errorsAtFields(findings: readonly Finding[], data: FormData): Record<string, string[]> {
  const names = new Set(data.keys())
  const errors: Record<string, string[]> = {}
  for (const { path, reason } of findings) {
    const field = findField(path, names)
    const text = field === undefined && path.length > 0 ? `${formatPath(path)}: ${reason}` : reason
    errors[field ?? ''] = [...(errors[field ?? ''] ?? []), text]
  }
  return errors
}
