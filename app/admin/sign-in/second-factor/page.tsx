import { redirect } from 'next/navigation'
import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { hasPasskeys } from '#lib/access/passkeys.ts'
import { listSecondFactors } from '#lib/access/second-factors.ts'
import { findSignIn } from '../../viewer.ts'
import { signOut } from '../actions.ts'
import { texts } from '../texts.ts'
import { giveCode } from './actions.ts'
import { UsePasskey } from './use-passkey.tsx'

export const dynamic = 'force-dynamic'

const words = texts.secondFactor

export default async function SecondFactorPage() {
  const signIn = await findSignIn()
  if (!signIn) redirect('/admin/sign-in')
  if (signIn.complete) redirect('/admin')
  const { passkeys } = await listSecondFactors(signIn.viewer.userId)
  const offersPasskey = passkeys.length > 0 && hasPasskeys()
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{words.title}</h1>
      <p className="mt-1 mb-6 break-words text-faint">{words.description(signIn.viewer.email)}</p>
      {offersPasskey ? <UsePasskey label={words.passkey} failed={words.passkeyFailed} /> : null}
      <ActionForm action={giveCode} warnUnsaved={false} className="space-y-4">
        <TextField
          name="code"
          label={words.code}
          hint={words.codeHint}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <SubmitButton variant={offersPasskey ? 'secondary' : 'primary'} className="w-full">
          {words.submit}
        </SubmitButton>
      </ActionForm>
      <form action={signOut} className="mt-4 text-center">
        <Button type="submit" variant="link">
          {words.other}
        </Button>
      </form>
    </>
  )
}
