import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column, Sort } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith } from '#components/ui/href.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import {
  listUsageByBrand,
  type UsageOfBrand,
  type UsageOrder,
  usageOrders,
} from '#lib/conversations/read-usage.ts'
import { rangeOfSpan, type UsageSpan } from '#lib/conversations/usage-range.ts'
import { figureColumns } from './figure-columns.tsx'
import { texts } from './texts.ts'

/** Brands on the page. */
const LISTED = 50

export type UsageQuery = {
  span: UsageSpan
  sort: UsageOrder | `-${UsageOrder}`
  brand?: string | undefined
}

const isOrder = (id: string): id is UsageOrder => (usageOrders as readonly string[]).includes(id)

/** The largest come first at the first click. */
function sortLink(path: string, { sort, ...query }: UsageQuery, id: string): Sort | undefined {
  if (!isOrder(id)) return undefined
  const direction = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined
  return { href: hrefWith(path, { ...query, sort: sort === `-${id}` ? id : `-${id}` }), direction }
}

function Empty({ brand }: { brand: string | undefined }) {
  return (
    <EmptyState
      title={texts.noBrandTitle}
      action={
        <Button asChild>
          <Link href={brandHref('/admin/brands', brand)}>{texts.noBrandAction}</Link>
        </Button>
      }
    >
      {texts.noBrand}
    </EmptyState>
  )
}

const nameColumn: Column<UsageOfBrand> = {
  id: 'brand',
  header: texts.brand,
  cell: ({ brand }) => <bdi>{brand.name}</bdi>,
}

/** What each Brand used in a span of time. */
export async function UsageByBrand({
  viewer,
  query,
  path,
}: {
  viewer: Viewer
  query: UsageQuery
  path: string
}) {
  const { span, sort, brand } = query
  const order = { by: sort.replace('-', '') as UsageOrder, falling: sort.startsWith('-') }
  const { rows, more } = await listUsageByBrand(viewer, rangeOfSpan(span), { brand, order, limit: LISTED })
  return (
    <div className="mb-8">
      <h2 className="mb-3 font-semibold text-lg">{texts.byBrand}</h2>
      <DataTable
        caption={texts.byBrand}
        columns={[nameColumn, ...figureColumns<UsageOfBrand>((id) => sortLink(path, query, id))]}
        rows={rows}
        rowKey={(row) => row.brand.id}
        rowHref={(row) => hrefWith(`/admin/brands/${row.brand.id}/usage`, { span, brand })}
        choosable
        empty={<Empty brand={brand} />}
      />
      {more ? <p className="mt-2 text-faint text-sm">{texts.most(LISTED)}</p> : null}
    </div>
  )
}
