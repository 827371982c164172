import { redirect } from 'next/navigation'
import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { findProvider } from '#lib/identity/registry.ts'
import { findSignIn } from '../viewer.ts'
import { signIn } from './actions.ts'

export const dynamic = 'force-dynamic'

export default async function SignInPage() {
  if (await findSignIn()) redirect('/admin')
  const provider = await findProvider()
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Sign in</h1>
      <p className="mt-1 mb-6 text-faint">{provider?.organization ?? 'PACT Provider'}</p>
      <ActionForm action={signIn} warnUnsaved={false} className="space-y-4">
        <TextField name="email" label="E-mail address" type="email" autoComplete="username" required />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <SubmitButton className="w-full">Sign in</SubmitButton>
      </ActionForm>
    </>
  )
}
