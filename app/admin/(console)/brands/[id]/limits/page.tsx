import { ActionForm } from '#components/console/action-form.tsx'
import { CheckboxField, HiddenField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { may } from '#lib/access/permissions.ts'
import { maskedRoles } from '#lib/brands/schema.ts'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'
import { checkLimits, saveLimits } from './actions.ts'

export const dynamic = 'force-dynamic'

const { fields, limits } = texts

type NumberProps = {
  name: string
  label: string
  hint?: string
  value: number | undefined
  readOnly: boolean
}

function NumberField({ name, label, hint, value, readOnly }: NumberProps) {
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      defaultValue={value === undefined ? '' : String(value)}
      readOnly={readOnly}
      inputMode="decimal"
      autoComplete="off"
      className="max-w-md"
    />
  )
}

function MaskedFor({ roles, disabled }: { roles: readonly string[]; disabled: boolean }) {
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium text-sm">{fields.maskedFor}</legend>
      {maskedRoles.map((role) => (
        <CheckboxField
          key={role}
          name="conversation.maskedFor"
          value={role}
          label={fields.maskedRoles[role]}
          defaultChecked={roles.includes(role)}
          disabled={disabled}
        />
      ))}
      <p className="text-faint text-sm">{limits.maskedHint}</p>
    </fieldset>
  )
}

export default async function BrandLimits({ params }: BrandParams) {
  const { viewer, brand, writes } = await showBrand((await params).id)
  const opensNetworks = may(viewer, 'brands.networks', brand.id)
  const { conversation, delegation, keys } = brand.settings
  const readOnly = !writes
  return (
    <ActionForm action={saveLimits} check={checkLimits} reloadTheirs className="max-w-3xl">
      <HiddenField name="id" value={brand.id} />
      <HiddenField name="version" value={brand.version.toISOString()} />
      <Card title={limits.conversations}>
        <div className="space-y-5">
          <NumberField
            name="conversation.idleHours"
            label={fields.idleHours}
            value={conversation?.idleHours}
            readOnly={readOnly}
          />
          <NumberField
            name="conversation.retentionDays"
            label={fields.retentionDays}
            hint={`${fields.retentionDaysHint} ${limits.retentionWarning}`}
            value={conversation?.retentionDays}
            readOnly={readOnly}
          />
          <CheckboxField
            name="conversation.streaming"
            label={fields.streaming}
            hint={fields.streamingHint}
            defaultChecked={conversation?.streaming ?? false}
            disabled={readOnly}
          />
          <MaskedFor roles={conversation?.maskedFor ?? []} disabled={readOnly} />
        </div>
      </Card>
      <Card title={limits.grants}>
        <div className="space-y-5">
          {delegation ? (
            <NumberField
              name="delegation.grantDays"
              label={fields.grantDays}
              hint={fields.grantDaysHint}
              value={delegation.grantDays}
              readOnly={readOnly}
            />
          ) : (
            <p className="text-faint text-sm">{limits.identityOnly}</p>
          )}
          <NumberField
            name="keys.rotateEveryDays"
            label={fields.rotateEveryDays}
            hint={fields.rotateEveryDaysHint}
            value={keys?.rotateEveryDays}
            readOnly={readOnly}
          />
        </div>
      </Card>
      <Card title={limits.network}>
        <CheckboxField
          name="privateNetworks"
          label={fields.privateNetworks}
          hint={fields.privateNetworksHint}
          defaultChecked={brand.settings.privateNetworks ?? false}
          disabled={!opensNetworks}
        />
        {opensNetworks ? <HiddenField name="networks" value="offered" /> : null}
      </Card>
      {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
    </ActionForm>
  )
}
