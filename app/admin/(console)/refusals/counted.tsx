import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Card } from '#components/ui/card.tsx'
import { Time } from '#components/ui/time.tsx'
import type { RefusalRow } from '#lib/access/refusals.ts'
import type { Page } from '#lib/platform/keyset.ts'
import { Pages } from './pages.tsx'
import { countedNames, type RefusalQuery } from './query.ts'
import { textOfReason } from './reason-texts.ts'
import { RefusedAgent } from './refused-agent.tsx'
import { texts } from './texts.ts'

const { counted } = texts

const columns: Column<RefusalRow>[] = [
  { id: 'agent', header: counted.columns.agent, cell: (row) => <RefusedAgent {...row} /> },
  { id: 'reason', header: counted.columns.reason, cell: ({ reason }) => textOfReason(reason).title },
  {
    id: 'advice',
    header: counted.columns.advice,
    cell: ({ reason }) => <span className="text-sm">{textOfReason(reason).advice}</span>,
  },
  { id: 'count', header: counted.columns.count, align: 'end', cell: ({ count }) => texts.count(count) },
  {
    id: 'last',
    header: counted.columns.last,
    cell: ({ lastHour }) => <Time at={lastHour.toISOString()} />,
  },
]

/** How often requests were refused, by personal agent and reason. */
export function CountedRefusals({ page, query }: { page: Page<RefusalRow>; query: RefusalQuery }) {
  const { rows, before, after } = page
  return (
    <Card title={counted.title} flush>
      <DataTable
        caption={counted.caption}
        columns={columns}
        rows={rows}
        rowKey={({ personalAgentId, reason }) => `${personalAgentId} ${reason}`}
        empty={null}
      />
      <Pages query={query} before={before} after={after} names={countedNames} label={counted.pages} />
    </Card>
  )
}
