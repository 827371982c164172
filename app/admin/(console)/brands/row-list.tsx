'use client'

import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { texts } from './texts.ts'

type Row<T> = { key: number; value: T }

type Props<T> = {
  /** What one row is, for a person. */
  noun: string
  initial: readonly T[]
  blank: T
  disabled?: boolean
  /** The row's fields. Their names begin with the name of the list and `[index]`. */
  fields: (value: T, index: number) => ReactNode
  /** In place of the usual button: asks first, then calls `remove`. */
  removal?: (value: T, index: number, remove: () => void) => ReactNode
}

type Target = { key: number; part: 'up' | 'down' | 'first' } | 'add'

function findTarget(list: HTMLElement, target: Target): HTMLElement | null {
  if (target === 'add') return list.querySelector('[data-part=add]')
  const row = list.querySelector(`[data-row="${target.key}"]`)
  if (target.part === 'first') return row?.querySelector('input, textarea') ?? null
  const other = target.part === 'up' ? 'down' : 'up'
  return (
    row?.querySelector<HTMLElement>(`[data-part=${target.part}]:not(:disabled)`) ??
    row?.querySelector<HTMLElement>(`[data-part=${other}]`) ??
    null
  )
}

/** A list whose rows are added, removed and moved by buttons, from the keyboard as well as by hand. */
export function RowList<T>({ noun, initial, blank, disabled = false, fields, removal }: Props<T>) {
  const { noteChange } = useForm()
  const list = useRef<HTMLDivElement>(null)
  const next = useRef(initial.length)
  const target = useRef<Target>(undefined)
  const [rows, setRows] = useState<Row<T>[]>(() => initial.map((value, key) => ({ key, value })))
  const [said, setSaid] = useState('')

  // A row that moves on the page loses the focus.
  useEffect(() => {
    if (!list.current || !target.current || !rows) return
    findTarget(list.current, target.current)?.focus()
    target.current = undefined
  }, [rows])

  function change(rowsNow: Row<T>[], focus: Target, text: string) {
    target.current = focus
    setRows(rowsNow)
    setSaid(text)
    noteChange()
  }

  function add() {
    const key = next.current
    next.current += 1
    change([...rows, { key, value: blank }], { key, part: 'first' }, '')
  }

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

  return (
    <div ref={list} className="space-y-4">
      {rows.length === 0 ? <p className="text-faint text-sm">{texts.rows.none(noun)}</p> : null}
      <ol className="space-y-4">
        {rows.map(({ key, value }, index) => (
          <li key={key} data-row={key} className="rounded-card border border-line p-4">
            <div className="mb-2 flex items-center justify-between gap-2">
              <span className="text-faint text-sm tabular-nums">{index + 1}</span>
              {disabled ? null : (
                <div className="flex gap-1">
                  <Button
                    variant="ghost"
                    size="icon"
                    data-part="up"
                    disabled={index === 0}
                    aria-label={texts.rows.up(noun, index + 1)}
                    onClick={() => move(index, -1)}
                  >
                    <ArrowUp aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="icon"
                    data-part="down"
                    disabled={index === rows.length - 1}
                    aria-label={texts.rows.down(noun, index + 1)}
                    onClick={() => move(index, 1)}
                  >
                    <ArrowDown aria-hidden />
                  </Button>
                  {removal?.(value, index, () => remove(index)) ?? (
                    <Button
                      variant="ghost"
                      size="icon"
                      aria-label={texts.rows.remove(noun, index + 1)}
                      onClick={() => remove(index)}
                    >
                      <Trash2 aria-hidden />
                    </Button>
                  )}
                </div>
              )}
            </div>
            <div className="grid gap-4 sm:grid-cols-2">{fields(value, index)}</div>
          </li>
        ))}
      </ol>
      {disabled ? null : (
        <Button size="small" data-part="add" onClick={add}>
          <Plus aria-hidden /> {texts.rows.add(noun)}
        </Button>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}
