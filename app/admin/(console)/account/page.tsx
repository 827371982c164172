import type { Metadata } from 'next'
import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { hasPassword } from '#lib/access/change-password.ts'
import { ownTexts } from '../../own/texts.ts'
import { requireOwnSignIn, requireViewer } from '../../viewer.ts'
import { saveName, savePassword } from './actions.ts'
import { SecondFactorCards } from './second-factor-cards.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

export default async function AccountPage() {
  const viewer = await requireViewer()
  const signIn = await requireOwnSignIn()
  const asksPassword = await hasPassword(viewer.userId)
  return (
    <div className="max-w-3xl">
      <PageHeader title={texts.title} description={viewer.email} />
      <div className="space-y-6">
        <Card title={texts.nameTitle}>
          <ActionForm action={saveName}>
            <TextField
              name="name"
              label={texts.name}
              hint={texts.nameHint}
              defaultValue={viewer.name ?? ''}
              autoComplete="name"
              className="max-w-sm"
              required
            />
            <SubmitButton>{texts.save}</SubmitButton>
          </ActionForm>
        </Card>
        <Card title={texts.passwordTitle} description={asksPassword ? texts.passwordHint : texts.noPassword}>
          {asksPassword ? (
            <ActionForm action={savePassword} warnUnsaved={false} clearWhenDone>
              <PasswordField
                name="present"
                label={texts.present}
                autoComplete="current-password"
                className="max-w-sm"
              />
              <PasswordField
                name="next"
                label={texts.next}
                hint={`${ownTexts.passwordRules} ${ownTexts.differs}`}
                autoComplete="new-password"
                className="max-w-sm"
              />
              <SubmitButton>{texts.change}</SubmitButton>
            </ActionForm>
          ) : null}
        </Card>
        <SecondFactorCards signIn={signIn} asksPassword={asksPassword} />
        <SessionsCard userId={viewer.userId} present={signIn.sessionId} />
      </div>
    </div>
  )
}
