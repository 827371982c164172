import { setTimeout as sleep } from 'node:timers/promises'
import { processState } from '#lib/platform/process-state.ts'
import type { Turn } from './claim-turn.ts'
import { abandonTurn } from './settle-turn.ts'

/** How long turns that are stopped may take to settle, in milliseconds. */
const SETTLING_TIME = 5_000

type Run = { turn: Turn; stop: AbortController; ended: Promise<unknown> }

/** The turns that this process runs. Those that are answered at once need no stopping. */
function state() {
  return processState('running-turns', () => ({ runs: new Set<Run>(), stopping: false }))
}

/** True once the turns of this process are being stopped: none is to begin. */
export function areTurnsStopping(): boolean {
  return state().stopping
}

/**
 * Runs a claimed turn where {@link stopRunningTurns} finds it.
 *
 * @param run told when it has to stop
 */
export async function runStoppably<T>(turn: Turn, run: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const entry = { turn, stop, ended: run(stop.signal) }
  const { runs } = state()
  runs.add(entry)
  try {
    return await entry.ended
  } finally {
    runs.delete(entry)
  }
}

/** Waits until the turns that this process runs now have settled, however they end. */
export async function settledTurns(): Promise<void> {
  await Promise.allSettled([...state().runs].map(({ ended }) => ended))
}

/** Lets turns begin in this process, also where they were stopped before. */
export function allowTurns(): void {
  state().stopping = false
}

/**
 * Ends the turns that this process still runs, before it ends itself, so that their conversations need not wait for it. One
 * that has called a Brand's API settles with what it did, and its receipt; the message of another stays unanswered (§4.3).
 * From then on none begins, unless {@link allowTurns} is called. What has not settled within 5 s is given up.
 */
export async function stopRunningTurns(): Promise<void> {
  const running = state()
  running.stopping = true
  for (const { stop } of running.runs) stop.abort()
  await Promise.race([settledTurns(), sleep(SETTLING_TIME, undefined, { ref: false })])
  await Promise.allSettled([...running.runs].map(({ turn }) => abandonTurn(turn, 'stopped')))
}
