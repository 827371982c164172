'use client'

import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { RowField } from '../../../row-field.tsx'
import { RowList } from '../../../row-list.tsx'
import { texts as brandTexts } from '../../../texts.ts'
import { texts } from '../texts.ts'
import type { CheckRow } from './check-row.ts'
import { sumCheck } from './check-sum.ts'
import { dropKeptCheck, readKeptCheck } from './kept-check.ts'
import type { TriedCheck } from './tried-check.ts'

const blank: CheckRow = { name: '', scopes: '', turns: '', answers: '' }
const { checks: text } = texts

type Props = { id: string; checks: readonly CheckRow[]; disabled: boolean }

/** What is to be done with a check that was made of what somebody tried. */
function TriedNotice({ check: { unanswered, isCut } }: { check: TriedCheck }) {
  return (
    <Alert className="mb-4">
      <p>{text.tried}</p>
      {unanswered.length > 0 ? <p>{text.triedUnanswered(unanswered.join(', '))}</p> : null}
      {isCut ? <p>{text.triedCut}</p> : null}
    </Alert>
  )
}

/** A Brand's checks, in their order. */
export function CheckRows({ id, checks, disabled }: Props) {
  const [tried, setTried] = useState<TriedCheck>()
  useEffect(() => {
    if (!disabled) setTried(readKeptCheck(id))
  }, [id, disabled])

  function removalOf(check: CheckRow, index: number, remove: () => void) {
    if (check !== tried?.row) return undefined
    const dismiss = () => {
      dropKeptCheck(id)
      setTried(undefined)
      remove()
    }
    return (
      <Button
        variant="ghost"
        size="icon"
        aria-label={brandTexts.rows.remove(text.noun, index + 1)}
        onClick={dismiss}
      >
        <Trash2 aria-hidden />
      </Button>
    )
  }

  return (
    <>
      {tried ? <TriedNotice check={tried} /> : null}
      <RowList
        noun={text.noun}
        initial={checks}
        blank={blank}
        {...(tried ? { besides: tried.row } : {})}
        disabled={disabled}
        sum={sumCheck}
        removal={removalOf}
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
