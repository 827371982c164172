'use client'

import { ExternalLink } from 'lucide-react'
import { useEffect, useState, useTransition } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import type { CheckResult } from '#lib/delegation/assertion-checks.ts'
import type { StartedTest, TestProgress } from '#lib/delegation/login-test.ts'
import { texts } from '../../texts.ts'
import { readTest, startTest } from './actions.ts'

const { test } = texts
/** Between two looks at how far the test has come, in milliseconds. */
const LOOK_EVERY = 2_000

const badges = { passed: 'active', failed: 'danger', skipped: 'neutral' } as const

function Checks({ checks }: { checks: readonly CheckResult[] }) {
  const right = checks.every(({ result }) => result === 'passed')
  return (
    <>
      <Alert kind={right ? 'success' : 'danger'} live title={right ? test.allPassed : test.someFailed} />
      <ul aria-label={test.steps.arrived} className="divide-y divide-line text-sm">
        {checks.map(({ check, result, found }) => (
          <li key={check} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <Badge state={badges[result]}>{test.result[result]}</Badge>
            <span>{test.checks[check]}</span>
            {found === undefined ? null : (
              <span className="w-full break-all text-faint">
                {test.found} <bdi className="font-mono text-xs">{found}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Asks again and again how far a test has come, until its answer is there or its time is over. */
function useProgress(id: string, started: StartedTest | undefined) {
  const [progress, setProgress] = useState<TestProgress>()
  const [lost, setLost] = useState(false)
  useEffect(() => {
    if (!started) return
    let stopped = false
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      try {
        const next = await readTest(id, started.userCode)
        if (stopped) return
        setLost(false)
        setProgress(next)
        if (next?.state !== 'waiting') return
      } catch {
        if (!stopped) setLost(true)
      }
      if (!stopped) timer = setTimeout(look, LOOK_EVERY)
    }
    setProgress(undefined)
    void look()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [id, started])
  return { progress, lost }
}

/** Sends somebody through the Brand's own login in a new window, and shows what came back. */
export function RoundTrip({ id }: { id: string }) {
  const [started, setStarted] = useState<StartedTest>()
  const [failed, setFailed] = useState(false)
  const [pending, start] = useTransition()
  const { progress, lost } = useProgress(id, started)
  const begin = () =>
    start(async () => {
      const next = await startTest(id).catch(() => undefined)
      start(() => {
        setFailed(next === undefined)
        setStarted(next)
      })
    })
  return (
    <div className="space-y-3">
      <Button pending={pending} onClick={begin}>
        {started ? test.again : test.start}
      </Button>
      {failed ? (
        <Alert kind="danger" live>
          {test.gone}
        </Alert>
      ) : null}
      {started && progress?.state !== 'arrived' ? (
        <div className="space-y-3 text-sm">
          <p>{test.steps.link}</p>
          <Button variant="primary" asChild>
            <a href={started.loginUrl} target="_blank" rel="noreferrer">
              {test.open} <ExternalLink aria-hidden />
            </a>
          </Button>
          <p role="status" className="text-faint">
            {lost ? test.lost : progress?.state === 'over' ? test.steps.over : test.steps.waiting}
          </p>
        </div>
      ) : null}
      {progress?.state === 'arrived' ? <Checks checks={progress.checks} /> : null}
    </div>
  )
}
