import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column, Sort } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { type AgentListQuery, agentListSchema } from '#lib/identity/agent-list-schema.ts'
import { type ListedAgent, listAgents } from '#lib/identity/list-agents.ts'
import { showUrl } from '#lib/identity/show-url.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../viewer.ts'
import { AgentFilters } from './filters.tsx'
import { AgentOrigin, AgentState } from './state.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/personal-agents'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

function sortBy(key: 'name' | 'created', sort: string, query: Query): Sort {
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  const next = direction === 'ascending' ? `-${key}` : key
  return { href: hrefWith(PATH, { ...query, sort: next === 'name' ? undefined : next }), direction }
}

function columnsOf(sort: string, query: Query): Column<ListedAgent>[] {
  const { columns } = texts
  return [
    {
      id: 'name',
      header: columns.name,
      sort: sortBy('name', sort, query),
      cell: ({ name }) => <bdi>{makeVisible(name)}</bdi>,
    },
    {
      id: 'issuer',
      header: columns.issuer,
      cell: ({ issuer }) => <span className="break-all text-faint">{showUrl(issuer)}</span>,
    },
    { id: 'state', header: columns.state, cell: (row) => <AgentState {...row} /> },
    { id: 'origin', header: columns.origin, cell: (row) => <AgentOrigin {...row} /> },
    {
      id: 'created',
      header: columns.created,
      sort: sortBy('created', sort, query),
      cell: ({ createdAt }) => <Time at={createdAt.toISOString()} />,
    },
  ]
}

function RegisterLink({ brand }: { brand: string | undefined }) {
  return (
    <Button variant="primary" asChild>
      <Link href={brandHref(`${PATH}/new`, brand)}>
        <Plus aria-hidden /> {texts.register}
      </Link>
    </Button>
  )
}

function Empty({ filtered, mayRegister, brand }: EmptyProps) {
  const { title, body } = filtered ? texts.nothingFound : texts.empty
  if (!filtered) {
    return (
      <EmptyState title={title} action={mayRegister ? <RegisterLink brand={brand} /> : null}>
        {mayRegister ? body : texts.empty.reader}
      </EmptyState>
    )
  }
  const all = (
    <Button asChild>
      <Link href={brandHref(PATH, brand)}>{texts.nothingFound.action}</Link>
    </Button>
  )
  return (
    <EmptyState title={title} action={all}>
      {body}
    </EmptyState>
  )
}

type EmptyProps = { filtered: boolean; mayRegister: boolean; brand: string | undefined }

type ListProps = { viewer: Viewer; asked: AgentListQuery; brand: string | undefined }

function queryOf(
  { before: _before, after: _after, sort, ...filters }: AgentListQuery,
  brand: string | undefined,
) {
  return { brand, ...filters, sort: sort === 'name' ? undefined : sort }
}

async function List({ viewer, asked, brand }: ListProps) {
  const { rows, before, after } = await listAgents(viewer, asked)
  const query = queryOf(asked, brand)
  const { brand: _brand, sort: _sort, ...filters } = query
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={columnsOf(asked.sort, query)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={
          <Empty
            filtered={Object.values(filters).some(Boolean)}
            mayRegister={may(viewer, 'personal-agents.write')}
            brand={brand}
          />
        }
      />
      <Pagination path={PATH} query={query} before={before} after={after} />
    </>
  )
}

export default async function PersonalAgentsPage({ searchParams }: Props) {
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('personal-agents.read')
  const params = await searchParams
  const asked = agentListSchema.parse(params)
  const brand = typeof params.brand === 'string' ? params.brand : undefined
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={may(viewer, 'personal-agents.write') ? <RegisterLink brand={brand} /> : null}
      />
      <AgentFilters path={PATH} query={queryOf(asked, brand)} />
      <Suspense key={JSON.stringify(asked)} fallback={<LoadingRows rows={10} />}>
        <List viewer={viewer} asked={asked} brand={brand} />
      </Suspense>
    </>
  )
}
