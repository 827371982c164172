'use client'

import { useState, useTransition } from 'react'
import { connectionLost } from '#components/console/form-state.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import type { DomainCheck, DomainFinding } from '#lib/brands/check-domain.ts'
import { texts } from '../../texts.ts'
import { askDomain } from './actions.ts'

const { domain } = texts

function titleOf(found: DomainFinding): string {
  if (found.kind === 'status') return domain.found.status(found.status)
  if (found.kind === 'fault') return domain.found.fault(texts.outbound[found.fault] ?? found.fault)
  return domain.found[found.kind]
}

function placesOf(found: DomainFinding): string[] {
  if (found.kind === 'leads-elsewhere') return [found.location]
  return found.kind === 'other-card' ? found.interfaces : []
}

function Finding({ check: { url, found } }: { check: DomainCheck }) {
  const works = found.kind === 'redirects' || found.kind === 'serves'
  return (
    <Alert kind={works ? 'success' : 'warning'} live title={titleOf(found)}>
      {placesOf(found).map((place) => (
        <p key={place} className="break-all font-mono text-xs">
          {place}
        </p>
      ))}
      <p className="break-all text-faint">{domain.checkedAt(url)}</p>
    </Alert>
  )
}

/** Asks the Brand's domain now, and says what stands there. */
export function DomainCheckButton({ id }: { id: string }) {
  const [check, setCheck] = useState<DomainCheck>()
  const [lost, setLost] = useState(false)
  const [pending, start] = useTransition()
  const ask = () =>
    start(async () => {
      setCheck(undefined)
      try {
        const answer = await askDomain(id)
        start(() => {
          setLost(answer === undefined)
          setCheck(answer)
        })
      } catch {
        start(() => setLost(true))
      }
    })
  return (
    <div className="space-y-3">
      <Button pending={pending} onClick={ask}>
        {domain.check}
      </Button>
      {check ? <Finding check={check} /> : null}
      {lost ? (
        <Alert kind="danger" live>
          {connectionLost}
        </Alert>
      ) : null}
    </div>
  )
}
