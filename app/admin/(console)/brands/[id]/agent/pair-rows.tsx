'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { useRowAround } from '../../folded-row.tsx'
import { RowField } from '../../row-field.tsx'
import { texts as lists } from '../../texts.ts'
import type { PairRow } from './pair-values.ts'
import type { ToolArgument } from './rule-tools.ts'
import { texts } from './texts.ts'

const { scripted: text } = texts

type Props = {
  /** What the names of its fields begin with. */
  at: string
  legend: string
  hint: string
  /** What one pair is, for a person. */
  noun: string
  pairs: readonly PairRow[]
  /** Names that it may have: each takes one click, while no row has it. */
  offered?: readonly ToolArgument[]
  disabled: boolean
}

/** Names and their values, one pair a row; their order means nothing. */
export function PairRows({ at, legend, hint, noun, pairs, offered = [], disabled }: Props) {
  const { noteChange } = useForm()
  const noteRows = useRowAround()
  const list = useRef<HTMLFieldSetElement>(null)
  const next = useRef(pairs.length)
  const moved = useRef<number | 'add'>(undefined)
  // `name`: as it is typed by now.
  const [rows, setRows] = useState(() => pairs.map((value, key) => ({ key, value, name: value.name })))

  // A row that comes takes the focus; one that goes leaves it to the button.
  useEffect(() => {
    const target = moved.current
    if (target === undefined || !rows) return
    moved.current = undefined
    const selector = target === 'add' ? '[data-add]' : `[data-pair="${target}"] input`
    const found = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
    // What was offered has its name already.
    const first = found.find((control) => control instanceof HTMLInputElement && control.value === '')
    ;(first ?? found[0])?.focus()
    noteRows()
  }, [rows, noteRows])

  function rename(key: number, name: string) {
    setRows((before) => before.map((row) => (row.key === key ? { ...row, name } : row)))
  }

  function add(name = '') {
    const key = next.current
    next.current += 1
    moved.current = key
    setRows([...rows, { key, value: { name, value: '' }, name }])
    noteChange()
  }

  function remove(key: number) {
    moved.current = 'add'
    setRows(rows.filter((row) => row.key !== key))
    noteChange()
  }

  const rest = disabled ? { readOnly: true } : {}
  return (
    <fieldset ref={list} className="min-w-0 space-y-3 sm:col-span-2">
      <legend className="font-medium text-sm">{legend}</legend>
      <p className="text-faint text-sm">{hint}</p>
      {rows.map(({ key, value }, index) => (
        <div
          key={key}
          data-pair={key}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
        >
          <RowField
            {...rest}
            name={`${at}[${index}].name`}
            label={text.pairName}
            value={value.name}
            onType={(name) => rename(key, name)}
          />
          <RowField
            {...rest}
            name={`${at}[${index}].value`}
            label={text.pairValue}
            value={value.value}
            lines={value.value.includes('\n')}
            className="max-sm:col-start-1"
          />
          {disabled ? null : (
            <Button
              variant="ghost"
              size="icon"
              aria-label={lists.rows.remove(noun, index + 1)}
              onClick={() => remove(key)}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </div>
      ))}
      {disabled ? null : (
        <div className="flex flex-wrap gap-2">
          {offered
            .filter(({ name }) => !rows.some((row) => row.name.trim() === name))
            .map(({ name, required }) => (
              <Button key={name} size="small" onClick={() => add(name)}>
                <Plus aria-hidden />
                <span className="sr-only">{text.offer}</span>
                {text.offered(name, required)}
              </Button>
            ))}
          <Button data-add size="small" onClick={() => add()}>
            <Plus aria-hidden /> {lists.rows.add(noun)}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
