import type { ReactNode } from 'react'
import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, TextField } from '#components/console/form-field.tsx'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { findInvitation } from '#lib/access/accept-invitation.ts'
import { findInvitedBrands } from '#lib/access/invitations.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { describeRole } from '../../(console)/members/texts.ts'
import { ownTexts } from '../../own/texts.ts'
import { findSignIn } from '../../viewer.ts'
import { texts } from '../texts.ts'
import { acceptInvitation, acceptSignedIn } from './actions.ts'

export const dynamic = 'force-dynamic'

const words = texts.invitation

type Props = { searchParams: Promise<{ token?: string | string[] }> }

function Page({ title, hint, children }: { title: string; hint: string; children?: ReactNode }) {
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 break-words text-faint">{hint}</p>
      {children}
    </>
  )
}

/** What an invitation's link opens. Opening it uses nothing up. */
export default async function InvitationPage({ searchParams }: Props) {
  const token = [(await searchParams).token].flat()[0] ?? ''
  const invitation = await findInvitation(token)
  if (!invitation) return <Page title={words.gone} hint={words.goneHint} />
  const organization = (await findProvider())?.organization ?? 'PACT Provider'
  const names = await findInvitedBrands(invitation.roles)
  const roles = invitation.roles.map((role) =>
    describeRole(role, (brandId) => makeVisible(names.get(brandId) ?? brandId)),
  )
  const hint = words.description(makeVisible(invitation.invitedBy), organization, roles)
  const signIn = await findSignIn()
  const isTheirs = signIn?.complete && signIn.viewer.email === invitation.email
  if (isTheirs && !invitation.restarts) {
    return (
      <Page title={words.title} hint={hint}>
        <ActionForm action={acceptSignedIn} warnUnsaved={false}>
          <HiddenField name="token" value={token} />
          <p className="break-words">{words.as(invitation.email)}</p>
          <SubmitButton className="w-full">{words.accept}</SubmitButton>
        </ActionForm>
      </Page>
    )
  }
  // The same words whatever account there is: who holds the link may be somebody else.
  if (invitation.kind !== 'new-account') {
    return <Page title={words.title} hint={`${hint} ${words.signInFirst}`} />
  }
  return (
    <Page title={words.title} hint={hint}>
      <ActionForm action={acceptInvitation} warnUnsaved={false} className="space-y-4">
        <HiddenField name="token" value={token} />
        <TextField
          name="email"
          label={texts.email}
          defaultValue={invitation.email}
          autoComplete="username"
          readOnly
        />
        <TextField name="name" label={words.name} hint={words.nameHint} autoComplete="name" required />
        <PasswordField
          name="password"
          label={words.password}
          hint={ownTexts.passwordRules}
          autoComplete="new-password"
        />
        <SubmitButton className="w-full">{words.submit}</SubmitButton>
      </ActionForm>
    </Page>
  )
}
