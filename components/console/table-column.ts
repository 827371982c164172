import type { ReactNode } from 'react'

export type Sort = { href: string; direction?: 'ascending' | 'descending' | undefined }

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** Its cells stay on one line. */
  nowrap?: boolean
  /** Where the same list stands in another order, and how this column is ordered now. */
  sort?: Sort
  /** For a screen reader only, as over a column of buttons. */
  quietHeader?: boolean
}
