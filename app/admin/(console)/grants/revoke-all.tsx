'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx'
import { notify } from '#components/ui/notify.ts'
import { countMatchingAction, type MatchingAnswer, revokeNextAction } from './actions.ts'
import { texts } from './texts.ts'

/** The filter, by field; and what the fields are called. */
type Props = { filter: Record<string, string>; shown: readonly { label: string; value: string }[] }

type Counted = { countedAt: string; count: number }
type Run = { done: number; failure?: string }

const words = texts.revokeAll

type Asked = { count: number; last?: string | undefined; failure?: undefined } | { failure: string }

function tell(reason: 'forbidden' | 'too-wide' | 'failed', done: number): string {
  if (reason === 'failed') return words.failed(done)
  return reason === 'forbidden' ? words.forbidden : words.tooWide
}

async function ask(question: Promise<MatchingAnswer>, done: number): Promise<Asked> {
  try {
    const answer = await question
    return answer.ok ? answer : { failure: tell(answer.reason, done) }
  } catch {
    return { failure: words.stopped(done) }
  }
}

/** Counts, asks, and revokes in batches, saying how far it is. What was revoked stays so, whatever happens then. */
export function RevokeAll({ filter, shown }: Props) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [counted, setCounted] = useState<Counted>()
  const [run, setRun] = useState<Run>()
  const running = run !== undefined && run.failure === undefined

  async function count() {
    const countedAt = new Date().toISOString()
    const answer = await ask(countMatchingAction({ ...filter, countedAt }), 0)
    if (answer.failure === undefined) setCounted({ countedAt, count: answer.count })
    else setRun({ done: 0, failure: answer.failure })
  }

  function change(next: boolean) {
    if (running) return
    setOpen(next)
    setCounted(undefined)
    setRun(undefined)
    if (next) void count()
  }

  async function revoke({ countedAt }: Counted) {
    let done = 0
    let after: { after?: string } = {}
    for (;;) {
      setRun({ done })
      const answer = await ask(revokeNextAction({ ...filter, countedAt, ...after }), done)
      if (answer.failure !== undefined) return setRun({ done, failure: answer.failure })
      if (answer.last === undefined) break
      done += answer.count
      after = { after: answer.last }
    }
    setOpen(false)
    setRun(undefined)
    notify('success', words.done(done))
    router.refresh()
  }

  const nothing = counted?.count === 0
  return (
    <ConfirmDialog
      trigger={<Button>{words.label}</Button>}
      title={words.title}
      description={
        <div className="space-y-2">
          <p aria-live="polite">
            {running && counted ? words.progress(run.done, counted.count) : describe(counted, run?.failure)}
          </p>
          {shown.length > 0 ? (
            <p>
              {words.filteredBy}{' '}
              {shown.map(({ label, value }) => (
                <span key={label} className="block break-all">
                  {label}: <bdi>{value}</bdi>
                </span>
              ))}
            </p>
          ) : (
            <p>{words.everything}</p>
          )}
        </div>
      }
      {...(counted && !nothing ? { confirmName: words.typed(counted.count) } : {})}
      confirmLabel={nothing ? words.close : words.confirm}
      danger={!nothing}
      pending={running || (counted === undefined && run === undefined)}
      error={run?.failure}
      open={open}
      onOpenChange={change}
      onConfirm={() => (counted && !nothing ? void revoke(counted) : change(false))}
    />
  )
}

function describe(counted: Counted | undefined, failure: string | undefined): string {
  if (failure !== undefined && !counted) return ''
  if (!counted) return words.counting
  return counted.count === 0 ? words.none : words.what(counted.count)
}
