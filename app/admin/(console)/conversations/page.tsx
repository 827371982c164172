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
import type { Viewer } from '#lib/access/permissions.ts'
import {
  type ListedConversation,
  listConversations,
  MOST_COUNTED,
} from '#lib/conversations/list-conversations.ts'
import { type ConversationFilter, conversationFilterSchema } from '#lib/conversations/list-schema.ts'
import { type PageRequest, readPageOrNewest, readPageRequest } from '#lib/platform/keyset.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { requirePermission } from '../../viewer.ts'
import { ConversationFilters } from './filters.tsx'
import { ConversationState } from './state.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/conversations'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function columnsOf(brandChosen: boolean): Column<ListedConversation>[] {
  const { columns } = texts
  const all: Column<ListedConversation>[] = [
    { id: 'begun', header: columns.begun, cell: (row) => <Time at={row.createdAt.toISOString()} /> },
    { id: 'brand', header: columns.brand, cell: (row) => <bdi>{makeVisible(row.brand.name)}</bdi> },
    {
      id: 'personalAgent',
      header: columns.personalAgent,
      cell: (row) => <PersonalAgentName personalAgent={row.personalAgent} />,
    },
    { id: 'user', header: columns.user, cell: (row) => <UserIds {...row} /> },
    { id: 'state', header: columns.state, cell: (row) => <ConversationState {...row} /> },
    {
      id: 'messages',
      header: columns.messages,
      align: 'end',
      cell: (row) => texts.count(row.messages, MOST_COUNTED),
    },
    {
      id: 'lastActive',
      header: columns.lastActive,
      cell: (row) => <RelativeTime at={row.lastActiveAt.toISOString()} />,
    },
  ]
  return brandChosen ? all.filter(({ id }) => id !== 'brand') : all
}

function queryOf({ from, until, ...rest }: ConversationFilter) {
  const day = (at: Date | undefined) => at?.toISOString().slice(0, 10)
  return { ...rest, from: day(from), until: day(until) }
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

type ListProps = { viewer: Viewer; filter: ConversationFilter; request: PageRequest }

async function List({ viewer, filter, request }: ListProps) {
  const { brand, ...narrowed } = filter
  const { rows, before, after } = await readPageOrNewest(
    (page) => listConversations(viewer, filter, page),
    request,
  )
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={columnsOf(brand !== undefined)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={<Empty filtered={Object.values(narrowed).some(Boolean)} brand={brand} />}
      />
      <Pagination path={PATH} query={queryOf(filter)} before={before} after={after} labels={texts.pages} />
    </>
  )
}

export default async function ConversationsPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams
  const filter = conversationFilterSchema.parse(params)
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('conversations.read', filter.brand)
  const request = readPageRequest(params, UUID)
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <ConversationFilters path={PATH} query={queryOf(filter)} />
      <Suspense key={JSON.stringify([filter, request])} fallback={<LoadingRows rows={10} />}>
        <List viewer={viewer} filter={filter} request={request} />
      </Suspense>
    </>
  )
}
