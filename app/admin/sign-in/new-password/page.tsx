import { redirect } from 'next/navigation'
import { ActionForm } from '#components/console/action-form.tsx'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { ownTexts } from '../../own/texts.ts'
import { findSignIn } from '../../viewer.ts'
import { choosePassword } from './actions.ts'

export const dynamic = 'force-dynamic'

export default async function NewPasswordPage() {
  const signIn = await findSignIn()
  if (!signIn?.complete) redirect('/admin/sign-in')
  if (!signIn.mustChangePassword) redirect('/admin')
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Choose a password</h1>
      <p className="mt-1 mb-6 text-faint">
        The password that you signed in with was made for the first time only. Other browsers that are signed
        in as {signIn.viewer.email} are signed out.
      </p>
      <ActionForm action={choosePassword} warnUnsaved={false} className="space-y-4">
        <PasswordField
          name="present"
          label="The password that you have now"
          autoComplete="current-password"
        />
        <PasswordField
          name="next"
          label="New password"
          hint={`${ownTexts.passwordRules} ${ownTexts.differs}`}
          autoComplete="new-password"
        />
        <SubmitButton className="w-full">Save the new password</SubmitButton>
      </ActionForm>
    </>
  )
}
