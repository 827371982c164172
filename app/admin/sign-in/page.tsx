import { redirect } from 'next/navigation'
import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { findProvider } from '#lib/identity/registry.ts'
import { config } from '#lib/platform/config.ts'
import { findSignIn } from '../viewer.ts'
import { signIn } from './actions.ts'
import { ForgetThisTab } from './forget-this-tab.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'

type Props = { searchParams: Promise<{ error?: string | string[] }> }

function describeFailure(reason: string): string {
  const known: Readonly<Record<string, string>> = texts.ssoFailed
  return (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? texts.ssoFailed.other
}

export default async function SignInPage({ searchParams }: Props) {
  if (await findSignIn()) redirect('/admin')
  const provider = await findProvider()
  const error = [(await searchParams).error].flat()[0]
  return (
    <>
      <ForgetThisTab />
      <h1 className="font-semibold text-2xl tracking-tight">{texts.title}</h1>
      <p className="mt-1 mb-6 text-faint">{provider?.organization ?? 'PACT Provider'}</p>
      {error ? <Alert kind="danger" live className="mb-4" title={describeFailure(error)} /> : null}
      <ActionForm action={signIn} warnUnsaved={false} className="space-y-4">
        <TextField name="email" label={texts.email} type="email" autoComplete="username" required />
        <PasswordField name="password" label={texts.password} autoComplete="current-password" />
        <SubmitButton className="w-full">{texts.signIn}</SubmitButton>
      </ActionForm>
      {config().oidc ? <SingleSignOn label={texts.sso} failed={texts.ssoFailed.other} /> : null}
    </>
  )
}
