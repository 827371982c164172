import { LazyTrafficChart } from '#components/console/lazy-traffic-chart.tsx'
import { Card } from '#components/ui/card.tsx'
import type { UsageOfStep } from '#lib/conversations/read-usage.ts'
import type { UsageStep } from '#lib/conversations/usage-range.ts'
import { texts } from './texts.ts'

const { charts, figures } = texts

const colours = {
  first: 'var(--color-accent)',
  second: 'var(--color-success)',
  slow: 'var(--color-warning)',
  failed: 'var(--color-danger)',
}

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : null)

type Props = { steps: readonly UsageOfStep[]; by: UsageStep }

/** What was used over time. The same numbers stand in the table below. */
export function UsageCharts({ steps, by }: Props) {
  const points = steps.map(({ at, p50, p95, ...sums }) => ({
    ...sums,
    at: at.toISOString(),
    p50: finite(p50),
    p95: finite(p95),
  }))
  const utcDays = by === 'day'
  return (
    <div className="mb-8 grid gap-4 lg:grid-cols-2">
      <Card title={charts.turns}>
        <LazyTrafficChart
          points={points}
          utcDays={utcDays}
          series={[
            { key: 'turns', label: figures.turns, colour: colours.first },
            { key: 'stepUps', label: figures.stepUps, colour: colours.slow },
            { key: 'failedTurns', label: figures.failedTurns, colour: colours.failed },
          ]}
        />
      </Card>
      <Card title={charts.times} description={charts.timesHint}>
        <LazyTrafficChart
          unit=" ms"
          points={points}
          utcDays={utcDays}
          series={[
            { key: 'p50', label: figures.p50, colour: colours.first },
            { key: 'p95', label: figures.p95, colour: colours.slow },
          ]}
        />
      </Card>
      <Card title={charts.calls}>
        <LazyTrafficChart
          points={points}
          utcDays={utcDays}
          series={[
            { key: 'modelCalls', label: figures.modelCalls, colour: colours.first },
            { key: 'failedModelCalls', label: figures.failedModelCalls, colour: colours.slow },
            { key: 'toolCalls', label: figures.toolCalls, colour: colours.second },
            { key: 'failedToolCalls', label: figures.failedToolCalls, colour: colours.failed },
          ]}
        />
      </Card>
      <Card title={charts.tokens}>
        <LazyTrafficChart
          points={points}
          utcDays={utcDays}
          series={[
            { key: 'inputTokens', label: figures.inputTokens, colour: colours.first },
            { key: 'outputTokens', label: figures.outputTokens, colour: colours.second },
          ]}
        />
      </Card>
    </div>
  )
}
