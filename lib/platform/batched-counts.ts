import { log } from './log.ts'
import { processState } from './process-state.ts'

/** Milliseconds from the first count to the moment when it is stored. */
const FLUSH_AFTER = 5_000

type State<T> = {
  counts: Map<string, T>
  timer: NodeJS.Timeout | undefined
  flushing: Promise<void> | undefined
  /** Lets go of what was counted: nothing of it is stored any more. */
  [Symbol.dispose](): void
}

function newState<T>(): State<T> {
  return {
    counts: new Map(),
    timer: undefined,
    flushing: undefined,
    [Symbol.dispose]() {
      clearTimeout(this.timer)
      this.counts.clear()
    },
  }
}

/** Things that are counted in memory and stored together: it costs a request nothing, and can't fail it. */
export type BatchedCounts<T> = {
  /** Adds to what is counted under `key`; the first of a key is kept as it is. */
  add(key: string, first: T, join: (known: T) => void): void
  has(key: string): boolean
  size(): number
  /** Stores what has been counted. Never rejects: what can't be stored is kept for the next time. */
  flush(): Promise<void>
}

/**
 * Counts by key, stored every five seconds while there is something.
 *
 * @param name unique in the process
 * @param store writes what was counted; when it rejects, `again` counts each entry anew
 */
export function batchedCounts<T>(
  name: string,
  store: (counts: T[]) => Promise<void>,
  again: (count: T) => void,
): BatchedCounts<T> {
  const state = processState(name, newState<T>)

  async function write(counts: T[]): Promise<void> {
    try {
      await store(counts)
    } catch (error) {
      for (const count of counts) again(count)
      log().warn({ reason: String(error) }, `${name} could not be stored, and will be later`)
    }
  }

  async function flush(): Promise<void> {
    while (state.flushing) await state.flushing
    clearTimeout(state.timer)
    state.timer = undefined
    if (state.counts.size === 0) return
    const counts = [...state.counts.values()]
    state.counts = new Map()
    state.flushing = write(counts).finally(() => {
      state.flushing = undefined
    })
    await state.flushing
  }

  return {
    add(key, first, join) {
      const known = state.counts.get(key)
      if (known) join(known)
      else state.counts.set(key, first)
      state.timer ??= setTimeout(() => void flush(), FLUSH_AFTER).unref()
    },
    has: (key) => state.counts.has(key),
    size: () => state.counts.size,
    flush,
  }
}
