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

/** A line needs two points: a lone one is drawn as a dot. */
function isLone(points: readonly ChartPoint[], key: string): boolean {
  return points.filter((point) => point[key] !== null).length === 1
}

/** Lines over time. Who can't see them finds the same numbers in the table beside it. */
export function TrafficChart({ points, series, unit = '' }: Props) {
  const first = points[0]
  const last = points.at(-1)
  const days = Boolean(first && last && Date.parse(last.at) - Date.parse(first.at) > 25 * 3_600_000)
  return (
    <div aria-hidden>
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-faint text-xs">
        {series.map(({ key, label, colour }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 rounded-full" style={{ background: colour }} />
            {label}
          </li>
        ))}
      </ul>
      <div className="h-56 w-full">
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
            <YAxis
              stroke="var(--color-faint)"
              fontSize={12}
              allowDecimals={false}
              width={68}
              tickFormatter={(value: number) => `${value.toLocaleString('en')}${unit}`}
            />
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
                dot={isLone(points, key)}
                connectNulls
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
    </div>
  )
}
