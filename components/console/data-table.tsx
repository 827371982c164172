import type { ReactNode } from 'react'
import type { Column } from './table-column.ts'
import { TableView } from './table-view.tsx'

type Props<Row> = {
  /** What the rows are: screen readers say it, nobody sees it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Where a row leads: its first cell becomes the link. */
  rowHref?: (row: Row) => string | undefined
  /** Lets the reader leave columns out. */
  choosable?: boolean
  /** In place of the table when it has no rows. */
  empty: ReactNode
}

/** Rows as the server has them. The cells are made here, so that columns may be functions in a server's page. */
export function DataTable<Row>({ caption, columns, rows, rowKey, rowHref, choosable, empty }: Props<Row>) {
  if (rows.length === 0) return empty
  return (
    <TableView
      caption={caption}
      choosable={choosable ?? false}
      columns={columns.map(({ cell: _, ...column }) => column)}
      rows={rows.map((row) => ({
        key: rowKey(row),
        href: rowHref?.(row),
        cells: Object.fromEntries(columns.map(({ id, cell }) => [id, cell(row)])),
      }))}
    />
  )
}
