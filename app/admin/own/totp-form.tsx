import { toString as toSvg } from 'qrcode'
import { ActionForm } from '#components/console/action-form.tsx'
import { TextField } from '#components/console/form-field.tsx'
import { PasswordField } from '#components/console/password-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { offerTotp } from '#lib/access/second-factors.ts'
import type { ConsoleSignIn } from '#lib/access/sessions.ts'
import { totpUri } from '#lib/access/totp.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { turnOnTotp } from './second-factor-actions.ts'
import { FieldsThenCodes } from './shown-codes.tsx'
import { ownTexts } from './texts.ts'

const { totp } = ownTexts

type Props = {
  signIn: ConsoleSignIn
  next?: string
  /** Where a second factor protects the account already. */
  asksPassword?: boolean
}

/** Sets up an authenticator app: it counts once one of its codes was typed. */
export async function TotpForm({ signIn, next, asksPassword = false }: Props) {
  const { viewer, sessionId } = signIn
  const secret = await offerTotp(viewer.userId, sessionId)
  const issuer = (await findProvider())?.organization ?? 'PACT Provider'
  const svg = await toSvg(totpUri(secret, { issuer, account: viewer.email }), { type: 'svg', margin: 2 })
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const groups = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return (
    <ActionForm action={turnOnTotp} warnUnsaved={false} className="space-y-4">
      <FieldsThenCodes {...(next ? { next } : {})}>
        <p className="text-sm">{totp.scan}</p>
        {/* biome-ignore lint/performance/noImgElement: it is made here, and nothing can be optimised */}
        <img src={image} alt={totp.qr} width={196} height={196} className="rounded-card bg-white" />
        <div className="text-sm">
          <p className="text-faint">{totp.secret}:</p>
          <p className="flex items-center gap-1">
            <code className="break-all font-mono">{groups}</code>
            <CopyButton text={secret} label="Copy the secret" />
          </p>
        </div>
        <TextField
          name="code"
          label={totp.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="max-w-48"
          required
        />
        {asksPassword ? (
          <PasswordField
            name="password"
            label={ownTexts.password}
            autoComplete="current-password"
            className="max-w-72"
          />
        ) : null}
        <SubmitButton>{totp.submit}</SubmitButton>
      </FieldsThenCodes>
    </ActionForm>
  )
}
