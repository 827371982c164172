'use client'

import { useState } from 'react'
import { RowChoice } from '../../row-choice.tsx'
import { RowField } from '../../row-field.tsx'
import { RowList } from '../../row-list.tsx'
import { PairRows } from './pair-rows.tsx'
import { blankCall, type CallRow } from './rule-row.ts'
import type { RuleTools } from './rule-tools.ts'
import { texts } from './texts.ts'

const { scripted: text } = texts

type Props = {
  /** What the names of its fields begin with. */
  at: string
  /** Which rule's they are, counted from 1. */
  rule: number
  calls: readonly CallRow[]
  tools: RuleTools
  disabled: boolean
}

type CallProps = Pick<Props, 'tools' | 'disabled'> & { at: string; call: CallRow; index: number }

/** One call: the tool that is chosen says which arguments there are. */
function CallFields({ at, call, index, tools, disabled }: CallProps) {
  const [chosen, setChosen] = useState(call.tool)
  const known = Object.keys(tools)
  const names = call.tool === '' || known.includes(call.tool) ? known : [...known, call.tool]
  const options = ['', ...names].map((value) => ({ value, label: value || text.chooseTool }))
  const rest = disabled ? { readOnly: true } : {}
  return (
    <>
      <RowChoice
        name={`${at}.tool`}
        label={text.tool}
        options={options}
        value={call.tool}
        disabled={disabled}
        onChoose={setChosen}
      />
      <RowField {...rest} name={`${at}.as`} label={text.as} hint={text.asHint} value={call.as} optional />
      <PairRows
        at={`${at}.arguments`}
        legend={text.arguments(index + 1)}
        hint={text.argumentsHint}
        noun={text.argumentNoun}
        pairs={call.arguments}
        offered={tools[chosen]?.arguments ?? []}
        disabled={disabled}
      />
    </>
  )
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
        fields={(call, index) => (
          <CallFields at={`${at}[${index}]`} call={call} index={index} tools={tools} disabled={disabled} />
        )}
      />
    </fieldset>
  )
}
