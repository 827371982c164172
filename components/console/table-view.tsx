'use client'

import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useMemo } from 'react'
import { cn } from '#components/ui/class-names.ts'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import { ColumnMenu } from './column-menu.tsx'
import type { Column, Sort } from './table-column.ts'

type Head = Omit<Column<never>, 'cell'>
type Row = { key: string; href: string | undefined; cells: Record<string, ReactNode> }
type Props = { caption: string; columns: readonly Head[]; rows: readonly Row[]; choosable: boolean }

const features = tableFeatures({ columnVisibilityFeature })
const icons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }

/** A cell is named by its header where a row is a card. */
function cellClass({ align, nowrap, quietHeader }: Head, beside: 'link' | undefined): string {
  return cn(
    'max-md:flex max-md:justify-between max-md:gap-4 max-md:py-1 max-md:text-right',
    !quietHeader && 'max-md:labelled',
    align === 'end' && 'text-right tabular-nums',
    nowrap && 'whitespace-nowrap',
    // Buttons of a row stand above the link that covers it.
    beside && '[&_a]:relative [&_a]:z-10 [&_button]:relative [&_button]:z-10',
  )
}

function SortLink({ header, sort }: { header: string; sort: Sort }) {
  const Icon = icons[sort.direction ?? 'none']
  return (
    <Link href={sort.href} prefetch={false} className="inline-flex items-center gap-1 hover:text-ink">
      {header}
      <Icon aria-hidden className="size-3.5" />
    </Link>
  )
}

/** The table itself; on a phone each row is a card, its cells named by their headers. */
export function TableView({ caption, columns, rows, choosable }: Props) {
  const heads = useMemo(() => new Map(columns.map((head) => [head.id, head])), [columns])
  const defs = useMemo(
    () => columns.map(({ id, header }) => ({ id, header, accessorFn: (row: Row) => row.cells[id] })),
    [columns],
  )
  const table = useTable({ features, columns: defs, data: rows, getRowId: (row) => row.key })
  const shown = table.getVisibleLeafColumns().flatMap(({ id }) => heads.get(id) ?? [])
  const classes = {
    plain: shown.map((head) => cellClass(head, undefined)),
    besideLink: shown.map((head) => cellClass(head, 'link')),
  }
  return (
    <div className="space-y-2">
      {choosable ? (
        <ColumnMenu
          columns={table
            .getAllLeafColumns()
            .map((column) => ({
              id: column.id,
              label: heads.get(column.id)?.header ?? column.id,
              shown: column.getIsVisible(),
              toggle: (next: boolean) => column.toggleVisibility(next),
            }))
            .slice(1)}
        />
      ) : null}
      <TableRegion label={caption} className="rounded-card border border-line bg-panel shadow-card">
        <Table className="max-md:block">
          <caption className="sr-only">{caption}</caption>
          <TableHead className="max-md:sr-only">
            <tr>
              {shown.map(({ id, header, sort, align, quietHeader }) => (
                <HeaderCell
                  key={id}
                  aria-sort={sort ? (sort.direction ?? 'none') : undefined}
                  className={align === 'end' ? 'text-right' : undefined}
                >
                  {sort ? (
                    <SortLink header={header} sort={sort} />
                  ) : (
                    <span className={quietHeader ? 'sr-only' : undefined}>{header}</span>
                  )}
                </HeaderCell>
              ))}
            </tr>
          </TableHead>
          <TableBody className="max-md:block">
            {table.getRowModel().rows.map(({ id, original }) => (
              <TableRow key={id} className="relative max-md:block max-md:py-2">
                {shown.map((head, index) => (
                  <Cell
                    key={head.id}
                    data-label={head.quietHeader ? undefined : head.header}
                    className={classes[original.href && index > 0 ? 'besideLink' : 'plain'][index]}
                  >
                    {original.href && index === 0 ? (
                      <Link
                        prefetch={false}
                        href={original.href}
                        className="min-w-0 break-words font-medium after:absolute after:inset-0 hover:underline"
                      >
                        {original.cells[head.id]}
                      </Link>
                    ) : (
                      <div className="min-w-0 break-words">{original.cells[head.id]}</div>
                    )}
                  </Cell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableRegion>
    </div>
  )
}
