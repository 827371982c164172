'use client'

import { useState, useTransition } from 'react'
import { connectionLost } from '#components/console/form-state.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import type { InspectedJwks } from '#lib/identity/inspect-jwks.ts'
import { texts } from '../../texts.ts'
import { checkLoginKeys } from './actions.ts'

const { test, keyFaults, outbound } = texts

function KeysFound({ found }: { found: Extract<InspectedJwks, { ok: true }> }) {
  const usable = found.keys.filter(({ fault }) => fault === undefined)
  const faulty = found.keys.flatMap(({ fault }, index) =>
    fault === undefined ? [] : [test.badKey(index + 1, keyFaults[fault] ?? fault)],
  )
  return (
    <Alert
      kind={usable.length === 0 ? 'danger' : faulty.length > 0 ? 'warning' : 'success'}
      live
      title={usable.length === 0 ? test.keysNone : test.keysOk(usable.length, found.milliseconds)}
    >
      {faulty.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Alert>
  )
}

/** Fetches the keys of the Brand's login now, and says what is wrong with them. */
export function KeyCheck({ id }: { id: string }) {
  const [found, setFound] = useState<InspectedJwks | 'lost'>()
  const [pending, start] = useTransition()
  const look = () =>
    start(async () => {
      const answer = await checkLoginKeys(id).catch(() => undefined)
      start(() => setFound(answer ?? 'lost'))
    })
  return (
    <div className="space-y-3">
      <Button pending={pending} onClick={look}>
        {test.keys}
      </Button>
      {found === 'lost' ? (
        <Alert kind="danger" live>
          {connectionLost}
        </Alert>
      ) : null}
      {found && found !== 'lost' && !found.ok ? (
        <Alert kind="danger" live title={test.keysFailed(outbound[found.detail] ?? found.detail)} />
      ) : null}
      {found && found !== 'lost' && found.ok ? <KeysFound found={found} /> : null}
    </div>
  )
}
