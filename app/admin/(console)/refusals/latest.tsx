import Link from 'next/link'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Card } from '#components/ui/card.tsx'
import { Time } from '#components/ui/time.tsx'
import type { LatestRefusal } from '#lib/access/refusals.ts'
import type { Page } from '#lib/platform/keyset.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { Pages } from './pages.tsx'
import type { RefusalQuery } from './query.ts'
import { textOfReason } from './reason-texts.ts'
import { RefusedAgent } from './refused-agent.tsx'
import { texts } from './texts.ts'

const { latest } = texts

const columns: Column<LatestRefusal>[] = [
  { id: 'at', header: latest.columns.at, cell: ({ at }) => <Time at={at.toISOString()} /> },
  { id: 'agent', header: latest.columns.agent, cell: (row) => <RefusedAgent {...row} /> },
  { id: 'reason', header: latest.columns.reason, cell: ({ reason }) => textOfReason(reason).title },
  {
    id: 'brand',
    header: latest.columns.brand,
    cell: ({ brand }) =>
      brand ? (
        <Link href={`/admin/brands/${brand.id}`} prefetch={false} className="underline underline-offset-2">
          <bdi>{makeVisible(brand.name)}</bdi>
        </Link>
      ) : (
        <span className="text-faint">{texts.noBrand}</span>
      ),
  },
  { id: 'count', header: latest.columns.count, align: 'end', cell: ({ count }) => texts.count(count) },
]

/** The last refused requests, each with its time. */
export function LatestRefusals({ page, query }: { page: Page<LatestRefusal>; query: RefusalQuery }) {
  const { rows, before, after } = page
  return (
    <Card title={latest.title} description={latest.description} flush>
      <DataTable
        caption={latest.caption}
        columns={columns}
        rows={rows}
        rowKey={(row) =>
          [row.at.getTime(), row.personalAgentId, row.reason, row.brand?.id, row.issuer].join(' ')
        }
        empty={<p className="px-5 pb-4 text-faint text-sm">{latest.empty}</p>}
      />
      <Pages query={query} before={before} after={after} label={latest.pages} />
    </Card>
  )
}
