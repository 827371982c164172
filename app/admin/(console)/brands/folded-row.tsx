'use client'

import { ChevronRight } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { readRow } from './row-values.ts'
import { texts } from './texts.ts'

const RowAround = createContext<() => void>(() => undefined)

/** Tells the folded row around a list, if there is one, that the list's rows are others now: no field tells it. */
export function useRowAround(): () => void {
  return useContext(RowAround)
}

/** What one line says of a row: what it is, and what is to know about it. */
export type RowSum = { title: string; notes: readonly string[] }

type Props<T> = {
  place: number
  value: T
  /** A row of whose lists nothing is left. */
  blank: T
  /** Whether it is open at first. */
  open: boolean
  /** Of what its fields say, whoever reads them: a row as a form sends it. */
  sum: (value: T) => RowSum
  /** The row's fields: they are sent while it is folded, too. */
  children: ReactNode
}

/** A row of a list that folds to one line. The line follows what is typed, and says whether an error is folded away. */
export function FoldedRow<T extends object>({ place, value, blank, open, sum, children }: Props<T>) {
  const [now, setNow] = useState(value)
  const { title, notes } = sum(now)
  const row = useRef<HTMLDetailsElement>(null)
  const look = useCallback(() => {
    if (row.current) setNow({ ...blank, ...readRow(row.current) })
  }, [blank])
  return (
    <details ref={row} open={open} className="group" onChange={look} onToggle={look}>
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 pr-28 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
        />
        <span className="text-faint text-sm tabular-nums">{place}</span>
        <span className="line-clamp-3 min-w-0 break-words text-sm sm:line-clamp-2">
          <span className="font-medium">{title}</span>
          <span className="text-faint">{notes.map((note) => ` · ${note}`).join('')}</span>
          <span className="hidden font-medium text-danger group-[:not([open]):has([aria-invalid=true])]:inline">
            {` · ${texts.rows.faulty}`}
          </span>
        </span>
      </summary>
      <RowAround value={look}>
        <div className="grid gap-4 pt-4 pb-2 sm:grid-cols-2">{children}</div>
      </RowAround>
    </details>
  )
}
