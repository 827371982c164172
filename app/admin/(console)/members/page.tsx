import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DataTable } from '#components/console/data-table.tsx'
import { Card } from '#components/ui/card.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { listInvitations } from '#lib/access/invitations.ts'
import { listMembers } from '#lib/access/members.ts'
import { type MemberQuery, memberQuerySchema } from '#lib/access/members-schema.ts'
import { brandsWhere, may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { listVisibleBrands } from '#lib/access/visible-brands.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../viewer.ts'
import { InviteForm } from './invite-form.tsx'
import { memberColumns } from './member-columns.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { roleNames, texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const path = '/admin/members'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

function Filters({ query, ofProvider }: { query: MemberQuery; ofProvider: boolean }) {
  const names = ofProvider ? roleNames : { manager: roleNames.manager, viewer: roleNames.viewer }
  const roles = Object.entries(names).map(([value, label]) => ({ value, label }))
  const any = { value: '', label: texts.any }
  return (
    <FilterBar
      path={path}
      keep={{ brand: query.brand }}
      active={Boolean(query.search || query.role || query.state)}
    >
      <Field name="search" label={texts.search}>
        {(control) => (
          <Input {...control} type="search" placeholder={texts.searchHint} defaultValue={query.search} />
        )}
      </Field>
      <Field name="role" label={texts.role}>
        {(control) => <NativeSelect {...control} defaultValue={query.role ?? ''} options={[any, ...roles]} />}
      </Field>
      <Field name="state" label={texts.state}>
        {(control) => (
          <NativeSelect
            {...control}
            defaultValue={query.state ?? ''}
            options={[
              any,
              { value: 'active', label: texts.active },
              { value: 'disabled', label: texts.disabled },
            ]}
          />
        )}
      </Field>
    </FilterBar>
  )
}

async function Lists({ viewer, query }: { viewer: Viewer; query: MemberQuery }) {
  const [{ members, before, after }, invitations, brands] = await Promise.all([
    listMembers(viewer, query),
    listInvitations(viewer, query.brand),
    listVisibleBrands(viewer),
  ])
  const ofProvider = brandsWhere(viewer, 'members.read') === 'all'
  const nameOf = (brandId: string) => makeVisible(brands.find(({ id }) => id === brandId)?.name ?? brandId)
  const mayInviteTo = brands.filter(({ id }) => may(viewer, 'members.write', id))
  const { brand, search, role, state } = query
  return (
    <div className="space-y-6">
      {mayAnywhere(viewer, 'members.write') ? (
        <Card title={texts.invite} description={texts.inviteHint}>
          <InviteForm
            brands={mayInviteTo.map(({ id, name }) => ({ value: id, label: makeVisible(name) }))}
            brand={brand}
            ofProvider={may(viewer, 'members.write')}
          />
        </Card>
      ) : null}
      <OpenInvitations invitations={invitations} nameOf={nameOf} />
      <div>
        <Filters query={query} ofProvider={ofProvider} />
        <DataTable
          caption={texts.title}
          columns={memberColumns(ofProvider)}
          rows={members}
          rowKey={({ id }) => id}
          rowHref={({ id }) => hrefWith(`${path}/${id}`, { brand })}
          empty={
            <EmptyState title={texts.emptyTitle} icon={<Users />}>
              {texts.emptyHint}
            </EmptyState>
          }
        />
        <Pagination path={path} query={{ brand, search, role, state }} before={before} after={after} />
      </div>
    </div>
  )
}

export default async function MembersPage({ searchParams }: Props) {
  const query = memberQuerySchema.parse(await searchParams)
  const viewer = await requirePermission('members.read', query.brand)
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      {/* Not a `loading.tsx`: that would answer 200 before it is known whether the page exists for this viewer. */}
      <Suspense fallback={<LoadingRows rows={8} />}>
        <Lists viewer={viewer} query={query} />
      </Suspense>
    </>
  )
}
