'use client'

import Link from 'next/link'
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { FormContext } from '#components/console/form-context.tsx'
import { CheckboxField, TextAreaField, TextField } from '#components/console/form-field.tsx'
import { idle, textOf } from '#components/console/form-state.ts'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { useFormAction } from '#components/console/use-form-action.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { keepCheck } from './checks/kept-check.ts'
import { type NotedTurn, toCheckRow } from './checks/tried-check.ts'
import { texts } from './texts.ts'
import { sayToDraft } from './try-actions.tsx'

const { tryIt: text } = texts

type Props = { id: string; scopes: readonly string[]; driver: 'scripted' | 'llm' | 'webhook' }

function AsWhom({ scopes, driver }: Omit<Props, 'id'>) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">{text.asWhom}</summary>
      <div className="mt-3 space-y-4">
        <CheckboxField name="noToken" label={text.noToken} />
        <TextField name="user" label={text.user} defaultValue="user-1" />
        <fieldset className="space-y-2">
          <legend className="font-medium">{text.scopes}</legend>
          {scopes.map((scope) => (
            <CheckboxField key={scope} name="scopes" value={scope} label={scope} defaultChecked />
          ))}
        </fieldset>
        <TextAreaField name="answers" label={text.answers} hint={text.answersHint} optional />
        {driver === 'llm' ? (
          <TextField
            name="apiKey"
            type="password"
            autoComplete="off"
            label={text.key}
            hint={text.keyHint}
            optional
          />
        ) : null}
      </div>
    </details>
  )
}

/** A conversation with the draft, which only this page remembers. */
export function TryIt({ id, scopes, driver }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const { state, setState, submit, pending } = useFormAction(sayToDraft, idle)
  const [turns, setTurns] = useState<ReactNode[]>([])
  const [past, setPast] = useState('')
  const [noted, setNoted] = useState<readonly NotedTurn[]>([])

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const data = new FormData(event.currentTarget)
    data.set('past', past)
    submit(data, (next) => {
      if (next.status !== 'done') return
      setPast(textOf(next.values.past) ?? '')
      setTurns((before) => [...before, next.result?.details])
      const turn = textOf(next.values.noted)
      if (turn) setNoted((before) => [...before, JSON.parse(turn) as NotedTurn])
      const box = form.current?.elements.namedItem('text')
      if (box instanceof HTMLTextAreaElement) {
        box.value = ''
        box.focus()
      }
    })
  }

  function startAnew() {
    setTurns([])
    setPast('')
    setNoted([])
    setState(idle)
  }

  const check = toCheckRow(noted)
  return (
    <Card
      title={text.title}
      description={driver === 'webhook' ? text.botHint : text.hint}
      className="xl:sticky xl:top-18 xl:max-h-[calc(100dvh-5.5rem)] xl:overflow-y-auto"
    >
      <ol aria-label={text.title} aria-live="polite" className="space-y-4 divide-y divide-line">
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added
          <li key={index} className="pt-3 first:pt-0">
            {turn}
          </li>
        ))}
      </ol>
      <FormContext value={{ state, pending, noteChange: () => {} }}>
        <form ref={form} onSubmit={send} noValidate className="mt-4 space-y-4">
          {state.status === 'failed' ? (
            <Alert kind="danger" live>
              {state.message}
            </Alert>
          ) : null}
          <input type="hidden" name="id" value={id} />
          <TextAreaField name="text" label={text.say} rows={2} />
          <AsWhom scopes={scopes} driver={driver} />
          <div className="flex flex-wrap gap-2">
            <SubmitButton>{text.send}</SubmitButton>
            {turns.length > 0 ? <Button onClick={startAnew}>{text.again}</Button> : null}
            {check ? (
              <Button asChild>
                <Link href={`/admin/brands/${id}/agent/checks`} onClick={() => keepCheck(id, check)}>
                  {text.check}
                </Link>
              </Button>
            ) : null}
          </div>
        </form>
      </FormContext>
    </Card>
  )
}
