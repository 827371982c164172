import { TextField } from '#components/console/form-field.tsx'
import type { BrandInput } from '#lib/brands/schema.ts'
import { texts } from '../../texts.ts'

const { fields } = texts

type Props = { delegation: BrandInput['delegation']; readOnly: boolean }

/** How a Brand's Users log in. */
export function LoginFields({ delegation, readOnly }: Props) {
  const { url, issuer, jwksUri, afterConsentUrl } = delegation?.login ?? {}
  const rest = { readOnly, autoComplete: 'off', inputMode: 'url' } as const
  return (
    <div className="space-y-5">
      <TextField
        {...rest}
        name="delegation.login.url"
        label={fields.loginUrl}
        hint={fields.loginUrlHint}
        defaultValue={url}
      />
      <TextField
        {...rest}
        name="delegation.login.issuer"
        label={fields.loginIssuer}
        hint={fields.loginIssuerHint}
        defaultValue={issuer}
      />
      <TextField
        {...rest}
        name="delegation.login.jwksUri"
        label={fields.jwksUri}
        hint={fields.jwksUriHint}
        defaultValue={jwksUri}
      />
      <TextField
        {...rest}
        name="delegation.login.afterConsentUrl"
        label={fields.afterConsentUrl}
        hint={fields.afterConsentUrlHint}
        defaultValue={afterConsentUrl}
        optional
      />
    </div>
  )
}

/** How the pages look that a Brand's Users see. */
export function AppearanceFields({ delegation, readOnly }: Props) {
  const { colour, logoUrl } = delegation?.appearance ?? {}
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        name="delegation.appearance.colour"
        label={fields.colour}
        hint={fields.colourHint}
        defaultValue={colour}
        readOnly={readOnly}
        autoComplete="off"
        optional
      />
      <TextField
        name="delegation.appearance.logoUrl"
        label={fields.logoUrl}
        hint={fields.logoUrlHint}
        defaultValue={logoUrl}
        readOnly={readOnly}
        autoComplete="off"
        inputMode="url"
        optional
      />
    </div>
  )
}
