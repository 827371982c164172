'use client'

import { type SubmitEvent, useRef, useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'

/** Goes to the organization's own sign-in. The token that guards it is fetched when it is needed: it sets a cookie. */
export function SingleSignOn({ label, failed }: { label: string; failed: string }) {
  const token = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle')

  async function go(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setState('pending')
    try {
      const answer: { csrfToken?: string } = await (await fetch('/api/auth/csrf')).json()
      if (token.current) token.current.value = answer.csrfToken ?? ''
      form.submit()
    } catch {
      setState('failed')
    }
  }

  return (
    <form
      method="post"
      action="/api/auth/signin/oidc"
      onSubmit={(event) => void go(event)}
      className="mt-4 space-y-4"
    >
      <input type="hidden" name="csrfToken" ref={token} />
      <input type="hidden" name="callbackUrl" value="/admin" />
      <Button type="submit" className="w-full" pending={state === 'pending'}>
        {label}
      </Button>
      {state === 'failed' ? <Alert kind="danger" live title={failed} /> : null}
    </form>
  )
}
