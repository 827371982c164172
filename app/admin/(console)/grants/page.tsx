import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import type { Column } from '#components/console/table-column.ts'
import { UserIds } from '#components/console/user-ids.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { type GrantFilter, grantFilterSchema } from '#lib/delegation/grant-list-schema.ts'
import { type ListedGrant, listGrants } from '#lib/delegation/list-grants.ts'
import { type PageRequest, readPageOrNewest, readPageRequest } from '#lib/platform/keyset.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { requirePermission } from '../../viewer.ts'
import { GrantFilters } from './filters.tsx'
import { RevokeAll } from './revoke-all.tsx'
import { GrantState } from './state.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/grants'
const GRANT_ID = /^[\w-]{1,100}$/

function columnsOf(brandChosen: boolean): Column<ListedGrant>[] {
  const { columns } = texts
  const all: Column<ListedGrant>[] = [
    { id: 'given', header: columns.given, cell: (row) => <Time at={row.createdAt.toISOString()} /> },
    { id: 'brand', header: columns.brand, cell: (row) => <bdi>{makeVisible(row.brand.name)}</bdi> },
    {
      id: 'personalAgent',
      header: columns.personalAgent,
      cell: (row) => <PersonalAgentName personalAgent={row.personalAgent} />,
    },
    { id: 'user', header: columns.user, cell: (row) => <UserIds {...row} /> },
    { id: 'scopes', header: columns.scopes, cell: (row) => row.scopes.map(makeVisible).join(', ') || '–' },
    { id: 'state', header: columns.state, cell: (row) => <GrantState state={row.state} /> },
    {
      id: 'lastUsed',
      header: columns.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt.toISOString()} /> : texts.never),
    },
    { id: 'expires', header: columns.expires, cell: (row) => <Time at={row.expiresAt.toISOString()} /> },
  ]
  return brandChosen ? all.filter(({ id }) => id !== 'brand') : all
}

/** Whether to offer that all which match are revoked. The action checks for itself. */
function isRevocable(viewer: Viewer, { brand, state }: GrantFilter): boolean {
  if (state !== undefined && state !== 'live') return false
  return brand === undefined ? mayAnywhere(viewer, 'grants.revoke') : may(viewer, 'grants.revoke', brand)
}

function RevokeMatching({ filter: { brand, agent, user, scope } }: { filter: GrantFilter }) {
  const { filters } = texts
  const words = [
    { field: 'agent', label: filters.agent, value: agent },
    { field: 'user', label: filters.user, value: user },
    { field: 'scope', label: filters.scope, value: scope },
  ].flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]))
  const given = [...words, ...(brand === undefined ? [] : [{ field: 'brand', value: brand }])]
  return (
    <RevokeAll
      filter={Object.fromEntries(given.map(({ field, value }) => [field, value]))}
      shown={words.map(({ label, value }) => ({ label, value: makeVisible(value) }))}
    />
  )
}

function Empty({ filtered, brand }: { filtered: boolean; brand: string | undefined }) {
  const { title, body, action } = filtered ? texts.nothingFound : texts.empty
  return (
    <EmptyState
      title={title}
      action={
        <Button asChild>
          <Link href={brandHref(filtered ? PATH : '/admin/brands', brand)}>{action}</Link>
        </Button>
      }
    >
      {body}
    </EmptyState>
  )
}

type ListProps = { viewer: Viewer; filter: GrantFilter; request: PageRequest }

async function List({ viewer, filter, request }: ListProps) {
  const { brand, ...narrowed } = filter
  const { rows, before, after } = await readPageOrNewest((page) => listGrants(viewer, filter, page), request)
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={columnsOf(brand !== undefined)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${encodeURIComponent(id)}`, brand)}
        choosable
        empty={<Empty filtered={Object.values(narrowed).some(Boolean)} brand={brand} />}
      />
      <Pagination path={PATH} query={filter} before={before} after={after} labels={texts.pages} />
    </>
  )
}

export default async function GrantsPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams
  const filter = grantFilterSchema.parse(params)
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('grants.read', filter.brand)
  const request = readPageRequest(params, GRANT_ID)
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={isRevocable(viewer, filter) ? <RevokeMatching filter={filter} /> : undefined}
      />
      <GrantFilters path={PATH} query={filter} />
      <Suspense key={JSON.stringify([filter, request])} fallback={<LoadingRows rows={10} />}>
        <List viewer={viewer} filter={filter} request={request} />
      </Suspense>
    </>
  )
}
