import { ActionForm } from '#components/console/action-form.tsx'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { HiddenField, SelectField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import type { Member } from '#lib/access/members.ts'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { saveBrandRole } from '../actions.ts'
import { roleNames, texts } from '../texts.ts'
import { RoleForm } from './role-form.tsx'

const options = [
  { value: 'manager', label: roleNames.manager },
  { value: 'viewer', label: roleNames.viewer },
]

type Row = Member['brands'][number] & { member: Member; viewer: Viewer }

function BrandRole({ id, name: given, role, member, viewer }: Row) {
  const name = makeVisible(given)
  if (!may(viewer, 'members.write', id)) {
    return (
      <p className="text-sm">
        {roleNames[role]} of {name}
      </p>
    )
  }
  const fields = { user: member.id, brand: id }
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <RoleForm action={saveBrandRole} label={name} fields={fields} from={role} options={options} />
      <ConfirmAction
        action={saveBrandRole}
        fields={{ ...fields, from: role, to: '' }}
        label={texts.remove}
        title={texts.removeTitle}
        description={texts.removeHint(member.email, name)}
        confirmLabel={texts.remove}
      />
    </div>
  )
}

type Props = { member: Member; viewer: Viewer; brands: readonly { id: string; name: string }[] }

/** A member's roles at Brands; the Provider's admins add others, a Brand's managers invite. */
export function BrandRoles({ member, viewer, brands }: Props) {
  const others = brands.filter(({ id }) => !member.brands.some((each) => each.id === id))
  return (
    <Card title={texts.brandRoles}>
      <div className="space-y-5">
        {member.brands.length === 0 ? <p className="text-faint text-sm">{texts.noBrandRoles}</p> : null}
        {member.brands.map((each) => (
          <BrandRole key={each.id} {...each} member={member} viewer={viewer} />
        ))}
        {may(viewer, 'members.write') && others.length > 0 ? (
          <ActionForm action={saveBrandRole} warnUnsaved={false} className="border-line border-t pt-5">
            <HiddenField name="user" value={member.id} />
            <HiddenField name="from" value="" />
            <div className="flex flex-wrap items-end gap-3">
              <SelectField
                name="brand"
                label={texts.addBrand}
                options={others.map(({ id, name }) => ({ value: id, label: makeVisible(name) }))}
                className="min-w-56"
              />
              <SelectField name="to" label={texts.role} options={options} defaultValue="viewer" />
              <SubmitButton variant="secondary">{texts.add}</SubmitButton>
            </div>
          </ActionForm>
        ) : null}
      </div>
    </Card>
  )
}
