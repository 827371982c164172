import { printable } from '#lib/platform/printable.ts'

export { printable }

/**
 * Aligns rows in columns, two blanks apart; the last column is as wide as it wants.
 *
 * @param indent what stands before each line
 */
export function formatColumns(rows: readonly (readonly string[])[], indent = ''): string {
  const cells = rows.map((row) => row.map(printable))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => [...(row[column] ?? '')].length)),
  )
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)
  return cells.map((row) => `${indent}${row.map(pad).join('  ')}`.trimEnd()).join('\n')
}

/** A table with its heads in capitals. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return formatColumns([heads.map((head) => head.toUpperCase()), ...rows])
}

/** For programs. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}
