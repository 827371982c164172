import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { listLatestRefusals, listRefusals } from '#lib/access/refusals.ts'
import { readPageOrNewest } from '#lib/platform/keyset.ts'
import { requirePermission } from '../../viewer.ts'
import { CountedRefusals } from './counted.tsx'
import { RefusalFilters } from './filters.tsx'
import { LatestRefusals } from './latest.tsx'
import { querySchema, readPages } from './query.ts'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata = { title: texts.title }

export default async function Refusals({ searchParams }: { searchParams: Promise<unknown> }) {
  const viewer = await requirePermission('refusals.read')
  const query = querySchema.parse(await searchParams)
  const wanted = {
    hours: Number(query.hours),
    ...(query.reason ? { reason: query.reason } : {}),
    ...(query.agent ? { personalAgentId: query.agent } : {}),
  }
  const pages = readPages(query)
  const [counted, latest] = await Promise.all([
    readPageOrNewest((page) => listRefusals(viewer, wanted, page), pages.counted),
    readPageOrNewest((page) => listLatestRefusals(viewer, wanted, page), pages.latest),
  ])
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <RefusalFilters query={query} />
      {counted.rows.length + latest.rows.length === 0 ? (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.body}</p>
        </EmptyState>
      ) : (
        <div className="space-y-6">
          {counted.rows.length > 0 ? <CountedRefusals page={counted} query={query} /> : null}
          <LatestRefusals page={latest} query={query} />
        </div>
      )}
    </>
  )
}
