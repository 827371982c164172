import { setTimeout as sleep } from 'node:timers/promises'
import { processState } from '#lib/platform/process-state.ts'

/** How many messages of one conversation may wait in one process. */
export const LONGEST_LINE = 16

/** How often the first in line looks whether another process's turn has ended, in milliseconds: from … to. */
const LOOK_AFTER = { first: 10, last: 200 }

type Line = { places: symbol[]; ended: PromiseWithResolvers<void> }

function lines(): Map<string, Line> {
  return processState('turn-lines', () => new Map<string, Line>())
}

/** Tells those who wait in this process that a turn of the conversation has ended. */
export function callNext(contextId: string): void {
  const line = lines().get(contextId)
  if (!line) return
  line.ended.resolve()
  line.ended = Promise.withResolvers<void>()
}

/**
 * Takes a place in the conversation's line at once, and tries again whenever a turn may have ended: first come, first
 * served within this process. Who stands behind others tries once without the right to begin.
 *
 * @param patience how long to wait at the most, in milliseconds
 * @param attempt undefined: not yet. Told whether nobody stands in front
 * @returns undefined when the line is full or patience has run out
 */
export async function standInLine<T>(
  contextId: string,
  patience: number,
  attempt: (first: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const line = lines().get(contextId) ?? { places: [], ended: Promise.withResolvers<void>() }
  if (line.places.length >= LONGEST_LINE) return attempt(false)
  const deadline = performance.now() + patience
  const place = Symbol('place')
  line.places.push(place)
  lines().set(contextId, line)
  try {
    const early = await attempt(line.places[0] === place)
    return early ?? (await attemptAtTheFront(line, place, deadline, attempt))
  } finally {
    line.places.splice(line.places.indexOf(place), 1)
    if (line.places.length === 0) lines().delete(contextId)
    // The one behind is first from here on, and need not wait for its next look.
    else callNext(contextId)
  }
}

async function attemptAtTheFront<T>(
  line: Line,
  place: symbol,
  deadline: number,
  attempt: (first: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  let pause = LOOK_AFTER.first
  for (;;) {
    const left = deadline - performance.now()
    if (left <= 0) return undefined
    const cancel = new AbortController()
    // Only the first asks the database; those behind are called.
    const wait = line.places[0] === place ? Math.min(pause, left) : left
    const look = sleep(wait, undefined, { signal: cancel.signal }).catch(() => {})
    await Promise.race([line.ended.promise, look])
    cancel.abort()
    if (line.places[0] !== place) continue
    const result = await attempt(true)
    if (result !== undefined) return result
    pause = Math.min(pause * 2, LOOK_AFTER.last)
  }
}
