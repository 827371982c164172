import type { Requirement } from './requirement.ts'

export type Outcome = 'pass' | 'fail' | 'not tested'

/** One line of the table. `why` says what failed, or why it was not tested. */
export type Row = Requirement & { result: Outcome; why: string }

const headings = { section: '§', level: 'level', result: 'result', text: 'requirement' } as const

type Column = keyof typeof headings

const columns: Column[] = ['section', 'level', 'result', 'text']
/** The widest that the last column gets before its text is wrapped. */
const TEXT_WIDTH = 88

/** Breaks a text at spaces into lines of at most `width` characters; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function widthOf(rows: readonly Row[], column: Column): number {
  if (column === 'text') return TEXT_WIDTH
  return Math.max(headings[column].length, ...rows.map((row) => row[column].length))
}

/** The table as plain text: section, level, result, requirement; under a requirement, why it failed or was left out. */
export function drawTable(rows: readonly Row[]): string {
  const widths = columns.map((column) => widthOf(rows, column))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  const body = rows.flatMap((row) => {
    const [first = '', ...more] = wrap(row.text, TEXT_WIDTH)
    const reasons = row.why === '' || row.result === 'pass' ? [] : wrap(`(${row.why})`, TEXT_WIDTH - 2)
    const below = [...more, ...reasons.map((reason) => `  ${reason}`)]
    return [
      line([row.section, row.level, row.result, first]),
      ...below.map((text) => line(['', '', '', text])),
    ]
  })
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(columns.map((column) => headings[column])), rule, ...body].join('\n')
}
