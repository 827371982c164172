import type { ReactNode } from 'react'
import { LazyTrafficChart } from '#components/console/lazy-traffic-chart.tsx'
import { Card } from '#components/ui/card.tsx'
import { cn } from '#components/ui/class-names.ts'
import { numberText } from '#components/ui/number-text.ts'
import { StatTile } from '#components/ui/stat-tile.tsx'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Point, Span } from '#lib/access/overview.ts'
import { finitePercentile } from '#lib/conversations/traffic-percentile.ts'
import { percentileText } from './durations.ts'
import { spanLabels, trafficTexts as texts } from './texts.ts'

const total = (points: readonly Point[], key: 'messages' | 'stepUps' | 'errors' | 'consents' | 'refusals') =>
  numberText(points.reduce((sum, point) => sum + point[key], 0))

const colours = {
  messages: 'var(--color-accent)',
  consents: 'var(--color-success)',
  stepUps: 'var(--color-warning)',
  refusals: 'var(--color-danger)',
}

type Shown = { points: readonly Point[]; refusals: boolean }

type Column = { title: string; value: (point: Point) => ReactNode }

const { figures } = texts

const columns: readonly Column[] = [
  { title: texts.time, value: ({ at }) => <Time at={at.toISOString()} /> },
  { title: figures.messages, value: ({ messages }) => messages },
  { title: figures.stepUps, value: ({ stepUps }) => stepUps },
  { title: figures.errors, value: ({ errors }) => errors },
  { title: figures.consents, value: ({ consents }) => consents },
  { title: figures.denials, value: ({ denials }) => denials },
  { title: figures.refusals, value: ({ refusals }) => refusals },
  { title: figures.p50, value: ({ p50 }) => percentileText(p50) },
  { title: figures.p95, value: ({ p95 }) => percentileText(p95) },
]

function Numbers({ points, refusals }: Shown) {
  const shown = columns.filter(({ title }) => refusals || title !== figures.refusals)
  return (
    <details className="mt-4">
      <summary className="cursor-pointer text-sm">{texts.asTable}</summary>
      <TableRegion label={texts.table}>
        <Table>
          <TableHead>
            <TableRow>
              {shown.map(({ title }) => (
                <HeaderCell key={title}>{title}</HeaderCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {points.toReversed().map((point) => (
              <TableRow key={point.at.getTime()}>
                {shown.map(({ title, value }) => (
                  <Cell key={title}>{value(point)}</Cell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableRegion>
    </details>
  )
}

/** What went through lately. @param props.refusals whether refused requests are known for what is shown */
export function Traffic({ points, span, refusals }: Shown & { span: Span }) {
  const chart = points.map(({ at, p50, p95, ...rest }) => ({
    ...rest,
    at: at.toISOString(),
    p50: finitePercentile(p50),
    p95: finitePercentile(p95),
  }))
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic" className="mb-3 font-semibold text-lg">
        {texts.title(spanLabels[span])}
      </h2>
      <div className={cn('mb-4 grid grid-cols-2 gap-3 sm:grid-cols-4', refusals && 'lg:grid-cols-5')}>
        <StatTile label={figures.messages} value={total(points, 'messages')} />
        <StatTile label={figures.stepUps} value={total(points, 'stepUps')} />
        <StatTile label={figures.consents} value={total(points, 'consents')} />
        {refusals ? <StatTile label={figures.refusals} value={total(points, 'refusals')} /> : null}
        <StatTile label={figures.errors} value={total(points, 'errors')} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={texts.requests}>
          <LazyTrafficChart
            points={chart}
            series={[
              { key: 'messages', label: figures.messages, colour: colours.messages },
              { key: 'stepUps', label: figures.stepUps, colour: colours.stepUps },
              { key: 'consents', label: figures.consents, colour: colours.consents },
              ...(refusals ? [{ key: 'refusals', label: figures.refusals, colour: colours.refusals }] : []),
            ]}
          />
        </Card>
        <Card title={texts.durations} description={texts.durationsHint}>
          <LazyTrafficChart
            unit=" ms"
            points={chart}
            series={[
              { key: 'p50', label: figures.p50, colour: colours.messages },
              { key: 'p95', label: figures.p95, colour: colours.stepUps },
            ]}
          />
        </Card>
      </div>
      <Numbers points={points} refusals={refusals} />
    </section>
  )
}
