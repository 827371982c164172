import { ExternalLink } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import { may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { type ListedReceipt, listReceipts, RECEIPT_ID } from '#lib/delegation/list-receipts.ts'
import { type ReceiptFilter, receiptFilterSchema } from '#lib/delegation/receipt-list-schema.ts'
import { type PageRequest, readPageOrNewest, readPageRequest } from '#lib/platform/keyset.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { requirePermission } from '../../viewer.ts'
import { ReceiptFilters } from './filters.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/receipts'

function Names({ of: names }: { of: readonly string[] }) {
  if (names.length === 0) return <span className="text-faint">{texts.none}</span>
  return (
    <ul>
      {[...new Set(names)].map((name) => (
        <li key={name}>
          <code className="break-all text-xs">{makeVisible(name)}</code>
        </li>
      ))}
    </ul>
  )
}

function columnsOf(brandChosen: boolean): Column<ListedReceipt>[] {
  const { columns } = texts
  const all: Column<ListedReceipt>[] = [
    { id: 'issued', header: columns.issued, cell: (row) => <Time at={row.issuedAt.toISOString()} /> },
    { id: 'brand', header: columns.brand, cell: (row) => <bdi>{makeVisible(row.brand.name)}</bdi> },
    {
      id: 'personalAgent',
      header: columns.personalAgent,
      cell: (row) => <PersonalAgentName personalAgent={row.personalAgent} />,
    },
    {
      id: 'user',
      header: columns.user,
      cell: (row) => <bdi className="break-all">{makeVisible(row.claims.user)}</bdi>,
    },
    { id: 'scopes', header: columns.scopes, cell: (row) => <Names of={row.claims.scopesUsed} /> },
    {
      id: 'tools',
      header: columns.tools,
      cell: (row) => <Names of={row.claims.actions.map(({ tool }) => tool)} />,
    },
  ]
  return brandChosen ? all.filter(({ id }) => id !== 'brand') : all
}

function queryOf({ from, until, ...rest }: ReceiptFilter): Query {
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

/** What is shown, as files. Plain links: the browser fetches them itself. */
function Exports({ query }: { query: Query }) {
  return (
    <>
      <Button asChild>
        <a href={hrefWith(`${PATH}/export`, { ...query, format: 'csv' })} download>
          {texts.csv}
        </a>
      </Button>
      <Button asChild>
        <a href={hrefWith(`${PATH}/export`, { ...query, format: 'jsonl' })} download>
          {texts.jsonLines}
        </a>
      </Button>
    </>
  )
}

type ListProps = { viewer: Viewer; filter: ReceiptFilter; request: PageRequest }

async function List({ viewer, filter, request }: ListProps) {
  const { brand, ...narrowed } = filter
  const { rows, before, after } = await readPageOrNewest(
    (page) => listReceipts(viewer, filter, page),
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

export default async function ReceiptsPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams
  const filter = receiptFilterSchema.parse(params)
  const { brand } = filter
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('receipts.read', brand)
  const request = readPageRequest(params, RECEIPT_ID)
  const query = queryOf(filter)
  const mayExport = brand ? may(viewer, 'receipts.export', brand) : mayAnywhere(viewer, 'receipts.export')
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <>
            <Button variant="ghost" asChild>
              <a href="/verify" target="_blank" rel="noreferrer">
                {texts.verifyLink} <ExternalLink aria-hidden />
                <span className="sr-only">{texts.newTab}</span>
              </a>
            </Button>
            {mayExport ? <Exports query={query} /> : null}
          </>
        }
      />
      <ReceiptFilters path={PATH} query={query} />
      <Suspense key={JSON.stringify([filter, request])} fallback={<LoadingRows rows={10} />}>
        <List viewer={viewer} filter={filter} request={request} />
      </Suspense>
    </>
  )
}
