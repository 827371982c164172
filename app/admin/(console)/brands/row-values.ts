import { readNestedFields } from '../../nested-fields.ts'

/**
 * What the fields of a list's row say now, by the last part of their names: `rules[3].when.match` is `when.match`. A box that
 * is not checked says ''.
 */
export function readRow(row: Element): Record<string, unknown> {
  const data = new FormData()
  for (const control of row.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
    const name = control.name.replace(/^.*?\[\d+\]\./, '')
    if (name !== '') data.append(name, control.type === 'checkbox' && !control.checked ? '' : control.value)
  }
  return readNestedFields(data)
}
