import type { Metadata } from 'next'
import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { Time } from '#components/ui/time.tsx'
import { brandsWhere } from '#lib/access/permissions.ts'
import { type ListedReceipt, listReceipts, RECEIPT_ID } from '#lib/delegation/list-receipts.ts'
import { type ReceiptFilter, receiptFilterSchema } from '#lib/delegation/receipt-list-schema.ts'
import { readPageRequest } from '#lib/platform/keyset.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { orNotFound, requirePermission } from '../../viewer.ts'
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

export default async function ReceiptsPage({ searchParams }: { searchParams: SearchParams }) {
  const viewer = await requirePermission('receipts.read')
  const params = await searchParams
  const filter = receiptFilterSchema.parse(params)
  const { brand, ...narrowed } = filter
  const request = readPageRequest(params, RECEIPT_ID)
  const { rows, before, after } = await orNotFound(listReceipts(viewer, filter, request))
  const query = queryOf(filter)
  const exportable = brandsWhere(viewer, 'receipts.export')
  const mayExport = brand === undefined || exportable === 'all' || exportable.includes(brand)
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <>
            <Button variant="ghost" asChild>
              <Link href="/verify">{texts.verifyLink}</Link>
            </Button>
            {mayExport && rows.length > 0 ? <Exports query={query} /> : null}
          </>
        }
      />
      <ReceiptFilters path={PATH} query={query} />
      <DataTable
        caption={texts.caption}
        columns={columnsOf(brand !== undefined)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={<Empty filtered={Object.values(narrowed).some(Boolean)} brand={brand} />}
      />
      <Pagination path={PATH} query={query} before={before} after={after} labels={texts.pages} />
    </>
  )
}
