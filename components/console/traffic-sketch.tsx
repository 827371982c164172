import { numberText } from '#components/ui/number-text.ts'
import { Time } from '#components/ui/time.tsx'
import type { ChartPoint, ChartProps, Series } from './chart-series.ts'

type Spot = { x: number; y: number }

/** Where a line's points lie, in percent of the picture from its left upper corner; what is not known is left out. */
function spotsOf(points: readonly ChartPoint[], key: string, highest: number): Spot[] {
  const most = Math.max(points.length - 1, 1)
  return points.flatMap((point, index) => {
    const value = point[key]
    return typeof value === 'number'
      ? [{ x: (100 * index) / most, y: 100 - (100 * value) / Math.max(highest, 1) }]
      : []
  })
}

function highestOf(points: readonly ChartPoint[], series: readonly Series[]): number {
  return Math.max(0, ...points.flatMap((point) => series.map(({ key }) => Number(point[key] ?? 0))))
}

/** Lines over time as a plain picture, which needs no script. */
export function TrafficSketch({ points, series, unit = '', utcDays = false }: ChartProps) {
  const highest = highestOf(points, series)
  const [first, last] = [points[0], points.at(-1)]
  const timeOf = ({ at }: ChartPoint) =>
    utcDays ? <time dateTime={at}>{at.slice(0, 10)}</time> : <Time at={at} />
  return (
    <div className="grid h-full grid-cols-[3.5rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] pt-2 pr-2 text-faint text-xs">
      <div className="flex flex-col justify-between pr-2 text-right">
        <span className="-translate-y-1/2">{`${numberText(highest)}${unit}`}</span>
        <span className="translate-y-1/2">{`0${unit}`}</span>
      </div>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="size-full min-h-0 overflow-visible border-line border-y"
        role="presentation"
      >
        {series.map(({ key, colour }) => {
          const spots = spotsOf(points, key, highest)
          // A line without length is drawn as a dot by its round end.
          const [only] = spots
          const ends = only && spots.length === 1 ? [only, only] : spots
          return (
            <polyline
              key={key}
              points={ends.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ')}
              fill="none"
              stroke={colour}
              strokeWidth={spots.length === 1 ? 6 : 2}
              strokeLinecap="round"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          )
        })}
      </svg>
      <div className="col-start-2 flex justify-between gap-4 pt-3 [&>:last-child]:text-right">
        {first ? timeOf(first) : null}
        {last && last !== first ? timeOf(last) : null}
      </div>
    </div>
  )
}
