'use client'

import { useState } from 'react'
import type { ChartProps } from './chart-series.ts'
import { TrafficSketch } from './traffic-sketch.tsx'

const loadChart = () => import('./traffic-chart.tsx').then(({ TrafficChart }) => TrafficChart)

/**
 * Lines over time. They are plain at first: whoever points at them gets the chart that tells values, and its library not
 * before. Who can't see them finds the same numbers in the table beside it.
 */
export function LazyTrafficChart(props: ChartProps) {
  const [Chart, setChart] = useState<Awaited<ReturnType<typeof loadChart>>>()
  // Where the library can't be fetched the plain lines stay.
  const show = () =>
    void loadChart().then(
      (chart) => setChart(() => chart),
      () => undefined,
    )
  return (
    <div aria-hidden onPointerEnter={Chart ? undefined : show}>
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-faint text-xs">
        {props.series.map(({ key, label, colour }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 rounded-full" style={{ background: colour }} />
            {label}
          </li>
        ))}
      </ul>
      <div className="h-56 w-full">{Chart ? <Chart {...props} /> : <TrafficSketch {...props} />}</div>
    </div>
  )
}
