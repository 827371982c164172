import type { Metadata } from 'next'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { getMember, type Member } from '#lib/access/members.ts'
import { listOwnSessions } from '#lib/access/own-sessions.ts'
import { brandsWhere, may, type Viewer } from '#lib/access/permissions.ts'
import { listVisibleBrands } from '#lib/access/visible-brands.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { saveDisabled, saveProviderRole } from '../actions.ts'
import { roleNames, texts } from '../texts.ts'
import { BrandRoles } from './brand-roles.tsx'
import { RoleForm } from './role-form.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

async function Switch({ member, viewer }: { member: Member; viewer: Viewer }) {
  if (!may(viewer, 'members.write')) return null
  if (member.id === viewer.userId) return <p className="text-faint text-sm">{texts.yourself}</p>
  if (member.disabledAt) {
    return (
      <ConfirmAction
        action={saveDisabled}
        fields={{ user: member.id, disabled: 'no' }}
        label={texts.enable}
        title={texts.enableTitle}
        description={texts.enableHint(member.email)}
        confirmLabel={texts.enable}
        danger={false}
      />
    )
  }
  const sessions = await listOwnSessions(member.id)
  return (
    <ConfirmAction
      action={saveDisabled}
      fields={{ user: member.id, disabled: 'yes' }}
      label={texts.disable}
      title={texts.disableTitle}
      description={texts.disableHint(member.email, sessions.length)}
      confirmLabel={texts.disable}
    />
  )
}

const providerOptions = [
  { value: '', label: texts.none },
  { value: 'auditor', label: roleNames.auditor },
  { value: 'admin', label: roleNames.admin },
]

function ProviderRole({ member, viewer }: { member: Member; viewer: Viewer }) {
  if (brandsWhere(viewer, 'members.read') !== 'all') return null
  return (
    <Card title={texts.providerRole}>
      {may(viewer, 'members.write') ? (
        <RoleForm
          action={saveProviderRole}
          label={texts.role}
          fields={{ user: member.id }}
          from={member.providerRole ?? ''}
          options={providerOptions}
        />
      ) : (
        <p className="text-sm">{member.providerRole ? roleNames[member.providerRole] : texts.none}</p>
      )}
    </Card>
  )
}

export default async function MemberPage({ params }: { params: Promise<{ id: string }> }) {
  const viewer = await requirePermission('members.read')
  const member = await orNotFound(getMember(viewer, (await params).id))
  const brands = await listVisibleBrands(viewer)
  return (
    <>
      <PageHeader
        title={makeVisible(member.name ?? member.email)}
        description={
          <span className="flex flex-wrap items-center gap-2">
            {member.email}
            <Badge state={member.disabledAt ? 'danger' : 'active'}>
              {member.disabledAt ? texts.disabled : texts.active}
            </Badge>
          </span>
        }
        crumbs={[{ label: texts.title, href: '/admin/members' }, { label: member.email }]}
        actions={<Switch member={member} viewer={viewer} />}
      />
      <div className="max-w-3xl space-y-6">
        <ProviderRole member={member} viewer={viewer} />
        <BrandRoles member={member} viewer={viewer} brands={brands} />
      </div>
    </>
  )
}
