import { numberText, tenthsText } from '#components/ui/number-text.ts'

/** A percentile of turns' times, in milliseconds, as it is shown. */
export function percentileText(value: number | undefined): string {
  if (value === undefined) return '–'
  return Number.isFinite(value) ? `${numberText(value)} ms` : 'over 30 s'
}

/** A sum of times, in milliseconds, as it is shown: in the unit that fits. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 120_000) return `${tenthsText(milliseconds / 1_000)} s`
  if (milliseconds < 7_200_000) return `${tenthsText(milliseconds / 60_000)} min`
  return `${tenthsText(milliseconds / 3_600_000)} h`
}
