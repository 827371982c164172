import Link from 'next/link'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'
import { Time } from '#components/ui/time.tsx'
import type { Viewer } from '#lib/access/permissions.ts'
import { readUsage, type UsageOfStep } from '#lib/conversations/read-usage.ts'
import { rangeOfSpan, type UsageSpan, type UsageStep } from '#lib/conversations/usage-range.ts'
import { config, demoCommand } from '#lib/platform/config.ts'
import { canRunDemo } from '../first-steps.ts'
import { firstStepTexts } from '../texts.ts'
import { figureColumns } from './figure-columns.tsx'
import { FigureTiles } from './figure-tiles.tsx'
import { texts } from './texts.ts'
import { UsageCharts } from './usage-charts.tsx'

type Props = {
  viewer: Viewer
  span: UsageSpan
  /** Undefined: all Brands that the viewer may see. */
  brand: string | undefined
  /** The page's own address, with what else it says. */
  path: string
  query: Query
}

function Nothing({ viewer, span, path, query }: Pick<Props, 'viewer' | 'span' | 'path' | 'query'>) {
  const further = span === '30d' ? undefined : hrefWith(path, { ...query, span: '30d' })
  return (
    <EmptyState
      title={texts.emptyTitle[span]}
      action={
        further ? (
          <Button asChild>
            <Link href={further}>{texts.further}</Link>
          </Button>
        ) : null
      }
    >
      {canRunDemo(viewer) ? (
        <p>
          {texts.talk} <code>{demoCommand(config().providerUrl)}</code>
        </p>
      ) : (
        <p>{firstStepTexts.later}</p>
      )}
    </EmptyState>
  )
}

function stepColumn(by: UsageStep): Column<UsageOfStep> {
  return {
    id: 'at',
    header: texts.step[by],
    nowrap: true,
    cell: ({ at }) =>
      by === 'hour' ? (
        <Time at={at.toISOString()} />
      ) : (
        // A day of UTC is no moment: in the viewer's zone it could be called another day.
        <time dateTime={at.toISOString().slice(0, 10)}>{at.toISOString().slice(0, 10)}</time>
      ),
  }
}

/** What was used in a span of time: figures, charts and a table of its steps. */
export async function UsageOverTime({ viewer, span, brand, path, query }: Props) {
  const range = rangeOfSpan(span)
  const { steps, total } = await readUsage(viewer, range, brand)
  if (total.turns === 0) return <Nothing viewer={viewer} span={span} path={path} query={query} />
  return (
    <>
      <p className="mb-4 text-faint text-sm">{texts.spanHint[span]}</p>
      <FigureTiles total={total} />
      <UsageCharts steps={steps} by={range.by} />
      <h2 className="mb-3 font-semibold text-lg">{texts.byStep[range.by]}</h2>
      <DataTable
        caption={texts.byStep[range.by]}
        columns={[stepColumn(range.by), ...figureColumns<UsageOfStep>()]}
        rows={steps.toReversed()}
        rowKey={({ at }) => at.toISOString()}
        choosable
        empty={null}
      />
    </>
  )
}
