const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A moment, in UTC: where the reader is, the page does not know. */
export function Time({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{format.format(at)} UTC</time>
}
