'use client'

import { useEffect, useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { RowField } from '../../../row-field.tsx'
import { RowList } from '../../../row-list.tsx'
import { texts } from '../texts.ts'
import { type CheckRow, sumCheck } from './check-sum.ts'
import { takeTriedCheck } from './tried-check.ts'

const blank: CheckRow = { name: '', scopes: '', turns: '', answers: '' }
const { checks: text } = texts

type Props = { id: string; checks: readonly CheckRow[]; disabled: boolean }

/** A Brand's checks, in their order. */
export function CheckRows({ id, checks, disabled }: Props) {
  const [tried, setTried] = useState<CheckRow>()
  useEffect(() => {
    if (!disabled) setTried((before) => before ?? takeTriedCheck(id))
  }, [id, disabled])
  return (
    <>
      {tried ? <Alert className="mb-4">{text.tried}</Alert> : null}
      <RowList
        noun={text.noun}
        initial={checks}
        blank={blank}
        {...(tried ? { besides: tried } : {})}
        disabled={disabled}
        sum={sumCheck}
        fields={(check, index) => {
          const at = `agent.checks[${index}]`
          const rest = disabled ? { readOnly: true } : {}
          return (
            <>
              <RowField {...rest} name={`${at}.name`} label={text.name} value={check.name} />
              <RowField
                {...rest}
                name={`${at}.scopes`}
                label={text.scopes}
                hint={text.scopesHint}
                value={check.scopes}
                optional
              />
              <RowField
                {...rest}
                name={`${at}.turns`}
                label={text.turns}
                hint={text.turnsHint}
                value={check.turns}
                lines
                className="sm:col-span-2"
              />
              <RowField
                {...rest}
                name={`${at}.answers`}
                label={text.answers}
                hint={text.answersHint}
                value={check.answers}
                lines
                optional
                className="sm:col-span-2"
              />
            </>
          )
        }}
      />
    </>
  )
}
