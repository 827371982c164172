import type { Series } from '#components/console/chart-series.ts'
import { LazyTrafficChart } from '#components/console/lazy-traffic-chart.tsx'
import { Card } from '#components/ui/card.tsx'
import type { UsageOfStep } from '#lib/conversations/read-usage.ts'
import { finitePercentile } from '#lib/conversations/traffic-percentile.ts'
import type { UsageStep } from '#lib/conversations/usage-range.ts'
import { texts } from './texts.ts'

const { charts, figures } = texts

const colours = {
  first: 'var(--color-accent)',
  second: 'var(--color-success)',
  slow: 'var(--color-warning)',
  failed: 'var(--color-danger)',
}

const line = (key: keyof typeof figures & keyof UsageOfStep, colour: keyof typeof colours): Series => ({
  key,
  label: figures[key],
  colour: colours[colour],
})

type Chart = { title: string; hint?: string; unit?: string; series: readonly Series[] }

const shown: readonly Chart[] = [
  {
    title: charts.turns,
    series: [line('turns', 'first'), line('stepUps', 'slow'), line('failedTurns', 'failed')],
  },
  {
    title: charts.times,
    hint: charts.timesHint,
    unit: ' ms',
    series: [line('p50', 'first'), line('p95', 'slow')],
  },
  {
    title: charts.calls,
    series: [
      line('modelCalls', 'first'),
      line('failedModelCalls', 'slow'),
      line('toolCalls', 'second'),
      line('failedToolCalls', 'failed'),
    ],
  },
  { title: charts.tokens, series: [line('inputTokens', 'first'), line('outputTokens', 'second')] },
]

type Props = { steps: readonly UsageOfStep[]; by: UsageStep }

/** What was used over time. The same numbers stand in the table below. */
export function UsageCharts({ steps, by }: Props) {
  const points = steps.map(({ at, p50, p95, ...sums }) => ({
    ...sums,
    at: at.toISOString(),
    p50: finitePercentile(p50),
    p95: finitePercentile(p95),
  }))
  return (
    <div className="mb-8 grid gap-4 lg:grid-cols-2">
      {shown.map(({ title, hint, unit, series }) => (
        <Card key={title} title={title} {...(hint ? { description: hint } : {})}>
          <LazyTrafficChart
            points={points}
            utcDays={by === 'day'}
            series={series}
            {...(unit ? { unit } : {})}
          />
        </Card>
      ))}
    </div>
  )
}
