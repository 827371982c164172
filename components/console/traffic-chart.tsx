'use client'

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

export type Series = { key: string; label: string; colour: string }
export type ChartPoint = { at: string } & Record<string, string | number | null>

type Props = { points: readonly ChartPoint[]; series: readonly Series[]; unit?: string }

function shortTime(at: string, days: boolean): string {
  const time = new Date(at)
  return days
    ? time.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
    : time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

/** Lines over time. Who can't see them finds the same numbers in the table beside it. */
export function TrafficChart({ points, series, unit = '' }: Props) {
  const first = points[0]
  const last = points.at(-1)
  const days = Boolean(first && last && Date.parse(last.at) - Date.parse(first.at) > 25 * 3_600_000)
  return (
    <div aria-hidden className="h-56 w-full">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart
          data={[...points]}
          margin={{ top: 8, right: 8, bottom: 0, left: -12 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--color-line)" vertical={false} />
          <XAxis
            dataKey="at"
            tickFormatter={(at: string) => shortTime(at, days)}
            stroke="var(--color-faint)"
            fontSize={12}
            minTickGap={32}
          />
          <YAxis stroke="var(--color-faint)" fontSize={12} allowDecimals={false} width={56} />
          <Tooltip
            labelFormatter={(at) => new Date(String(at)).toLocaleString()}
            formatter={(value) => `${value}${unit}`}
            contentStyle={{
              background: 'var(--color-panel)',
              borderColor: 'var(--color-line)',
              color: 'var(--color-ink)',
            }}
          />
          {series.map(({ key, label, colour }) => (
            <Line
              key={key}
              dataKey={key}
              name={label}
              stroke={colour}
              strokeWidth={2}
              dot={false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}
