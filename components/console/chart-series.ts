/** One line of a chart. `colour` is any of CSS. */
export type Series = { key: string; label: string; colour: string }
/** What a chart shows of one moment, by the keys of its lines; null: nothing is known. */
export type ChartPoint = { at: string } & Record<string, string | number | null>
export type ChartProps = {
  points: readonly ChartPoint[]
  series: readonly Series[]
  unit?: string
  /** The points are days of UTC: in the viewer's zone they could be called others. */
  utcDays?: boolean
}
