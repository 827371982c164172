'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { FoldedRow, type RowSum, useRowAround } from './folded-row.tsx'
import { RowButtons } from './row-buttons.tsx'
import { texts } from './texts.ts'

/** As many rows stand open at first: more of them are folded. */
const MOST_OPEN = 3

type Row<T> = { key: number; value: T; isNew: boolean }

type Props<T> = {
  /** What one row is, for a person. */
  noun: string
  initial: readonly T[]
  blank: T
  disabled?: boolean
  /** The row's fields. Their names begin with the name of the list and `[index]`. */
  fields: (value: T, index: number) => ReactNode
  /** A row that comes once the page is there, open: it was not saved yet. */
  besides?: T
  /** Rows fold to one line, which says this. Left out: they don't. */
  sum?: (value: T) => RowSum
  /** In place of the usual button: asks first, then calls `remove`. */
  removal?: (value: T, index: number, remove: () => void) => ReactNode
}

type Target = { key: number; part: 'up' | 'down' | 'first' } | 'add'

function findTarget(list: HTMLElement, target: Target): HTMLElement | null {
  // A row may hold a list of its own.
  if (target === 'add') return list.querySelector(':scope > [data-part=add]')
  const row = list.querySelector(`:scope > ol > [data-row="${target.key}"]`)
  if (target.part === 'first')
    return row?.querySelector('details.group:not([open]) > summary, input, select, textarea') ?? null
  const other = target.part === 'up' ? 'down' : 'up'
  const buttons = row?.querySelector(':scope > div > [data-part=buttons]')
  return (
    buttons?.querySelector<HTMLElement>(`[data-part=${target.part}]:not(:disabled)`) ??
    buttons?.querySelector<HTMLElement>(`[data-part=${other}]`) ??
    null
  )
}

type AddProps = { label: string; part?: 'add'; onClick: () => void }

function AddButton({ label, part, onClick }: AddProps) {
  return (
    <Button size="small" data-part={part} onClick={onClick}>
      <Plus aria-hidden /> {label}
    </Button>
  )
}

/** A list whose rows are added, removed and moved by buttons, from the keyboard as well as by hand. */
export function RowList<T extends object>(props: Props<T>) {
  const { noun, initial, blank, disabled = false, fields, sum, removal, besides } = props
  const { noteChange } = useForm()
  const noteRows = useRowAround()
  const list = useRef<HTMLDivElement>(null)
  const next = useRef(initial.length)
  const target = useRef<Target>(undefined)
  const [rows, setRows] = useState<Row<T>[]>(() =>
    initial.map((value, key) => ({ key, value, isNew: false })),
  )
  const [said, setSaid] = useState('')

  // A row that moves on the page loses the focus.
  useEffect(() => {
    if (!list.current || !target.current || !rows) return
    findTarget(list.current, target.current)?.focus()
    target.current = undefined
    noteRows()
  }, [rows, noteRows])

  function change(rowsNow: Row<T>[], focus: Target, text: string) {
    target.current = focus
    setRows(rowsNow)
    setSaid(text)
    noteChange()
  }

  function add(at: number, value = blank) {
    const key = next.current
    next.current += 1
    change(rows.toSpliced(at, 0, { key, value, isNew: true }), { key, part: 'first' }, '')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that comes
  useEffect(() => {
    if (besides) add(rows.length, besides)
  }, [besides])

  function remove(index: number) {
    const left = rows.filter((_, at) => at !== index)
    const neighbour = left[Math.min(index, left.length - 1)]
    change(left, neighbour ? { key: neighbour.key, part: 'first' } : 'add', texts.rows.removed(noun))
  }

  function move(index: number, by: 1 | -1) {
    const row = rows[index]
    if (!row) return
    const moved = rows.toSpliced(index, 1).toSpliced(index + by, 0, row)
    change(
      moved,
      { key: row.key, part: by < 0 ? 'up' : 'down' },
      texts.rows.moved(index + by + 1, rows.length),
    )
  }

  function buttonsOf(index: number, value: T) {
    if (disabled) return null
    return (
      <RowButtons
        noun={noun}
        index={index}
        count={rows.length}
        move={(by) => move(index, by)}
        remove={() => remove(index)}
        removal={removal?.(value, index, () => remove(index))}
      />
    )
  }

  return (
    <div ref={list} className="space-y-4">
      {rows.length === 0 ? <p className="text-faint text-sm">{texts.rows.none(noun)}</p> : null}
      {sum && rows.length > 0 && !disabled ? (
        <AddButton label={texts.rows.addFirst(noun)} onClick={() => add(0)} />
      ) : null}
      <ol className={sum ? 'space-y-2' : 'space-y-4'}>
        {rows.map(({ key, value, isNew }, index) => (
          <li key={key} data-row={key} className="relative rounded-card border border-line px-3 py-2 sm:px-4">
            {sum ? (
              <>
                <div className="absolute top-2 right-2">{buttonsOf(index, value)}</div>
                <FoldedRow
                  place={index + 1}
                  value={value}
                  blank={blank}
                  open={isNew || initial.length <= MOST_OPEN}
                  sum={sum}
                >
                  {fields(value, index)}
                </FoldedRow>
              </>
            ) : (
              <>
                <div className="mb-2 flex items-center justify-between gap-2">
                  <span className="text-faint text-sm tabular-nums">{index + 1}</span>
                  {buttonsOf(index, value)}
                </div>
                <div className="grid gap-4 pb-2 sm:grid-cols-2">{fields(value, index)}</div>
              </>
            )}
          </li>
        ))}
      </ol>
      {disabled ? null : (
        <AddButton part="add" label={texts.rows.add(noun)} onClick={() => add(rows.length)} />
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}
