'use client'

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

export type Series = { key: string; label: string; colour: string }
export type ChartPoint = { at: string } & Record<string, string | number | null>

type Props = {
  points: readonly ChartPoint[]
  series: readonly Series[]
  unit?: string
  /** The points are days of UTC: in the viewer's zone they could be called others. */
  utcDays?: boolean
}

function shortTime(at: string, days: boolean, timeZone: 'UTC' | undefined): string {
  const time = new Date(at)
  return days
    ? time.toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone })
    : time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

function longTime(at: string, utcDays: boolean): string {
  const time = new Date(at)
  return utcDays ? time.toLocaleDateString(undefined, { timeZone: 'UTC' }) : time.toLocaleString()
}

/** Lines over time. Who can't see them finds the same numbers in the table beside it. */
export function TrafficChart({ points, series, unit = '', utcDays = false }: Props) {
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
            tickFormatter={(at: string) => shortTime(at, days, utcDays ? 'UTC' : undefined)}
            stroke="var(--color-faint)"
            fontSize={12}
            minTickGap={32}
          />
          <YAxis stroke="var(--color-faint)" fontSize={12} allowDecimals={false} width={56} />
          <Tooltip
            labelFormatter={(at) => longTime(String(at), utcDays)}
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
              dot={{ r: 1.5 }}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}
