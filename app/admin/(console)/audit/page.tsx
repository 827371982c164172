import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import {
  type AuditFilter,
  type AuditPageRequest,
  auditFilterSchema,
  auditPageSchema,
} from '#lib/access/audit-list-schema.ts'
import { type AuditEvent, listAudit, listAuditActions } from '#lib/access/list-audit.ts'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { requirePermission } from '../../viewer.ts'
import { ActionName, ConcernedBrand } from './event-parts.tsx'
import { AuditFilters } from './filters.tsx'
import { toQuery } from './query.ts'
import { texts } from './texts.ts'
import { VerifyChain } from './verify-chain.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/audit'

function columnsOf(brandChosen: boolean): Column<AuditEvent>[] {
  const { columns } = texts
  const all: Column<AuditEvent>[] = [
    { id: 'at', header: columns.at, cell: ({ at }) => <Time at={at.toISOString()} /> },
    { id: 'actor', header: columns.actor, cell: ({ actor }) => <bdi>{makeVisible(actor)}</bdi> },
    { id: 'action', header: columns.action, cell: ({ action }) => <ActionName action={action} /> },
    { id: 'subject', header: columns.subject, cell: ({ subject }) => <bdi>{makeVisible(subject)}</bdi> },
    { id: 'brand', header: columns.brand, cell: (row) => <ConcernedBrand {...row} /> },
    { id: 'address', header: columns.address, cell: ({ address }) => address ?? '–' },
  ]
  return brandChosen ? all.filter(({ id }) => id !== 'brand') : all
}

function ExportLinks({ query }: { query: Query }) {
  // Plain links: what they lead to is no page.
  return (['csv', 'jsonl'] as const).map((format) => (
    <Button key={format} asChild>
      <a href={hrefWith(`${PATH}/export`, { ...query, format })} download>
        {texts.export[format]}
      </a>
    </Button>
  ))
}

function Empty({ filtered, brand }: { filtered: boolean; brand: string | undefined }) {
  if (!filtered) return <EmptyState title={texts.empty.title}>{texts.empty.body}</EmptyState>
  const { title, body, action } = texts.nothingFound
  return (
    <EmptyState
      title={title}
      action={
        <Button asChild>
          <Link href={brandHref(PATH, brand)}>{action}</Link>
        </Button>
      }
    >
      {body}
    </EmptyState>
  )
}

type ListProps = { viewer: Viewer; filter: AuditFilter; at: AuditPageRequest }

async function Events({ viewer, filter, at }: ListProps) {
  const [page, actions] = await Promise.all([listAudit(viewer, filter, at), listAuditActions()])
  const query = toQuery(filter)
  const { brand, ...narrowed } = query
  return (
    <>
      <AuditFilters path={PATH} query={query} actions={actions} />
      <DataTable
        caption={texts.caption}
        columns={columnsOf(brand !== undefined)}
        rows={page.rows}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={<Empty filtered={Object.values(narrowed).some(Boolean)} brand={brand} />}
      />
      <Pagination path={PATH} query={query} before={page.before} after={page.after} labels={texts.pages} />
    </>
  )
}

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams
  const filter = auditFilterSchema.parse(params)
  // Before anything is sent, so that the answer can still be 404.
  const viewer = await requirePermission('audit.read', filter.brand)
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={<ExportLinks query={toQuery(filter)} />}
      />
      {may(viewer, 'audit.read') ? <VerifyChain /> : null}
      <Suspense fallback={<LoadingRows rows={10} />}>
        <Events viewer={viewer} filter={filter} at={auditPageSchema.parse(params)} />
      </Suspense>
    </>
  )
}
