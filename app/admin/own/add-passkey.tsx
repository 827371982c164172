'use client'

import { useRouter } from 'next/navigation'
import { type SubmitEvent, useState } from 'react'
import { PasswordField } from '#components/console/password-field.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { beginPasskey, finishPasskey } from './second-factor-actions.ts'
import { RecoveryCodes } from './shown-codes.tsx'
import { ownTexts } from './texts.ts'

const { passkeys: words } = ownTexts

type State =
  | { kind: 'idle' | 'pending' }
  | { kind: 'failed'; text: string }
  | { kind: 'codes'; codes: string[] }

/** Makes a passkey with the browser and keeps it. What that takes is loaded when it is needed. */
async function makePasskey(data: FormData): Promise<{ codes: string[] } | { fault: string }> {
  try {
    const optionsJSON = await beginPasskey(data)
    if (!optionsJSON) return { fault: words.full }
    if ('fault' in optionsJSON) return optionsJSON
    const { startRegistration } = await import('@simplewebauthn/browser')
    const name = String(data.get('name') ?? '')
    const codes = await finishPasskey(name, await startRegistration({ optionsJSON }))
    return codes ? { codes } : { fault: words.failed }
  } catch {
    return { fault: words.failed }
  }
}

/** @param asksPassword where a second factor protects the account already */
export function AddPasskey({ next, asksPassword = false }: { next?: string; asksPassword?: boolean }) {
  const router = useRouter()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const go = () => {
    setState({ kind: 'idle' })
    if (next) router.push(next)
    else router.refresh()
  }

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state.kind === 'pending') return
    const data = new FormData(event.currentTarget)
    setState({ kind: 'pending' })
    const made = await makePasskey(data)
    if ('fault' in made) setState({ kind: 'failed', text: made.fault })
    else if (made.codes.length > 0) setState({ kind: 'codes', codes: made.codes })
    else go()
  }

  if (state.kind === 'codes') return <RecoveryCodes codes={state.codes} onKept={go} />
  return (
    <form onSubmit={(event) => void add(event)} className="space-y-4">
      {state.kind === 'failed' ? <Alert kind="danger" live title={state.text} /> : null}
      <Field name="name" label={words.name} hint={words.nameHint} className="max-w-72">
        {(control) => <Input {...control} defaultValue="My device" maxLength={60} required />}
      </Field>
      {asksPassword ? (
        <PasswordField
          name="password"
          label={ownTexts.password}
          autoComplete="current-password"
          className="max-w-72"
        />
      ) : null}
      <Button type="submit" pending={state.kind === 'pending'}>
        {words.add}
      </Button>
    </form>
  )
}
