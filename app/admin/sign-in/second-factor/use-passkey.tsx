'use client'

import { useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { beginPasskeyUse, givePasskey } from './actions.ts'

async function runPasskey(): Promise<boolean> {
  try {
    const optionsJSON = await beginPasskeyUse()
    if (!optionsJSON) return false
    const { startAuthentication } = await import('@simplewebauthn/browser')
    return await givePasskey(await startAuthentication({ optionsJSON }))
  } catch {
    return false
  }
}

/** Completes the sign-in with a passkey. What that takes is loaded when it is needed. */
export function UsePasskey({ label, failed }: { label: string; failed: string }) {
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle')

  async function go() {
    if (state === 'pending') return
    setState('pending')
    if (await runPasskey()) location.assign('/admin')
    else setState('failed')
  }

  return (
    <div className="mb-6 space-y-3">
      {state === 'failed' ? <Alert kind="danger" live title={failed} /> : null}
      <Button variant="primary" className="w-full" pending={state === 'pending'} onClick={() => void go()}>
        {label}
      </Button>
    </div>
  )
}
