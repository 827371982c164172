'use client'

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { numberText } from '#components/ui/number-text.ts'
import type { ChartPoint, ChartProps } from './chart-series.ts'

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

/** A line needs two points: a lone one is drawn as a dot. */
function isLone(points: readonly ChartPoint[], key: string): boolean {
  return points.filter((point) => point[key] !== null).length === 1
}

/** Lines over time, which tell their values to whoever points at them. */
export function TrafficChart({ points, series, unit = '', utcDays = false }: ChartProps) {
  const first = points[0]
  const last = points.at(-1)
  const days = Boolean(first && last && Date.parse(last.at) - Date.parse(first.at) > 25 * 3_600_000)
  return (
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
        <YAxis
          stroke="var(--color-faint)"
          fontSize={12}
          allowDecimals={false}
          width={68}
          tickFormatter={(value: number) => `${numberText(value)}${unit}`}
        />
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
            dot={isLone(points, key)}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}
