import { stringify } from 'csv-stringify/sync'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** One row of an export: its columns by name. */
export type ExportRow = Readonly<Record<string, unknown>>

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function toCsv(columns: readonly string[], rows: readonly ExportRow[]): string {
  // A cell that begins like a formula would run in a spreadsheet.
  return stringify(
    rows.map((row) => columns.map((column) => toCell(row[column]))),
    { escape_formulas: true, record_delimiter: 'windows' },
  )
}

function toJsonLines(columns: readonly string[], rows: readonly ExportRow[]): string {
  const ordered = (row: ExportRow) => Object.fromEntries(columns.map((column) => [column, row[column]]))
  return rows.map((row) => `${JSON.stringify(ordered(row))}\n`).join('')
}

async function* writeBytes(
  format: ExportFormat,
  columns: readonly string[],
  batches: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const write = format === 'csv' ? toCsv : toJsonLines
  if (format === 'csv') yield encoder.encode(stringify([[...columns]], { record_delimiter: 'windows' }))
  for await (const rows of batches) if (rows.length > 0) yield encoder.encode(write(columns, rows))
}

/** A stream that asks for the next bytes once somebody wants them. */
function toStream(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await bytes.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await bytes.return(undefined)
    },
  })
}

/**
 * Answers with a file of any size, written while it is read: no more than one batch is in memory, and the next is asked
 * for once the reader has taken the one before. An error on the way breaks the connection, so that nobody takes half a
 * file for the whole.
 *
 * @param options.name the file's name, without its ending; ASCII
 * @param options.columns what a row has, in order
 */
export function buildExportResponse(options: {
  format: ExportFormat
  name: string
  columns: readonly string[]
  batches: AsyncIterable<readonly ExportRow[]>
}): Response {
  const { format, name, columns, batches } = options
  return new Response(toStream(writeBytes(format, columns, batches)), {
    headers: {
      'Content-Type': mediaTypes[format],
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
