'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { relativeText, utcText } from './time-words.ts'

const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

function never() {
  return () => undefined
}

/** False on the server and while React takes the page over: both then show the same text. */
function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

type Props = { at: string; className?: string }

/** A moment (ISO 8601): UTC from the server, then the viewer's own zone; the exact time on hover. */
export function Time({ at, className }: Props) {
  const inBrowser = useInBrowser()
  return (
    <time dateTime={at} title={inBrowser ? exact.format(new Date(at)) : at} className={className}>
      {inBrowser ? short.format(new Date(at)) : utcText(at)}
    </time>
  )
}

/** How long ago, or how soon; it keeps up with the clock. */
export function RelativeTime({ at, className }: Props) {
  const inBrowser = useInBrowser()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={inBrowser ? exact.format(new Date(at)) : at} className={className}>
      {inBrowser ? relativeText(new Date(at).getTime(), now) : utcText(at)}
    </time>
  )
}
