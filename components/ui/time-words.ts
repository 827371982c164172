/** A moment in UTC, to the minute; the same in Node and in every browser. */
export function utcText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** How far a moment lies from `now`, both in milliseconds: “3 minutes ago”, “in 2 days”. */
export function relativeText(at: number, now: number): string {
  let distance = (at - now) / 1_000
  if (Math.abs(distance) < 5) return 'just now'
  for (const [unit, size] of steps) {
    if (Math.abs(Math.round(distance)) < size) return words.format(Math.round(distance), unit)
    distance /= size
  }
  return words.format(Math.round(distance), 'year')
}
