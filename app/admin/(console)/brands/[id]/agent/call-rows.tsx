'use client'

import { RowChoice } from '../../row-choice.tsx'
import { RowField } from '../../row-field.tsx'
import { RowList } from '../../row-list.tsx'
import { PairRows } from './pair-rows.tsx'
import { blankCall, type CallRow } from './rule-row.ts'
import { texts } from './texts.ts'

const { scripted: text } = texts

type Props = {
  /** What the names of its fields begin with. */
  at: string
  /** Which rule's they are, counted from 1. */
  rule: number
  calls: readonly CallRow[]
  /** The agent's tools, by their names. */
  tools: readonly string[]
  disabled: boolean
}

/** What a rule calls, in its order. */
export function CallRows({ at, rule, calls, tools, disabled }: Props) {
  return (
    <fieldset className="min-w-0 space-y-3 sm:col-span-2">
      <legend className="font-medium text-sm">{text.calls(rule)}</legend>
      <p className="text-faint text-sm">{text.callsHint}</p>
      <RowList
        noun={text.callNoun}
        initial={calls}
        blank={blankCall}
        disabled={disabled}
        fields={(call, index) => {
          const names = call.tool === '' || tools.includes(call.tool) ? tools : [...tools, call.tool]
          const options = ['', ...names].map((value) => ({ value, label: value || text.chooseTool }))
          const rest = disabled ? { readOnly: true } : {}
          return (
            <>
              <RowChoice
                name={`${at}[${index}].tool`}
                label={text.tool}
                options={options}
                value={call.tool}
                disabled={disabled}
              />
              <RowField
                {...rest}
                name={`${at}[${index}].as`}
                label={text.as}
                hint={text.asHint}
                value={call.as}
                optional
              />
              <PairRows
                at={`${at}[${index}].arguments`}
                legend={text.arguments(index + 1)}
                hint={text.argumentsHint}
                noun={text.argumentNoun}
                pairs={call.arguments}
                disabled={disabled}
              />
            </>
          )
        }}
      />
    </fieldset>
  )
}
