import { processState } from '#lib/platform/process-state.ts'
import { newLimiter, takeFrom } from './limiter.ts'
import type { Viewer } from './permissions.ts'

/**
 * How often in a minute one console user may have something tried: `turn` one turn of a draft or one call of a tool,
 * `checks` all checks of a Brand, `document` one OpenAPI document. Each of them costs other people's time or money.
 */
export const trialLimits = { turn: 30, checks: 10, document: 10 } as const

export type Trial = keyof typeof trialLimits

/** Somebody tries too often. Nothing was done. */
export class TooOftenError extends Error {
  override name = 'TooOftenError'
  /** Whole seconds after which the next trial is welcome. */
  readonly retryAfter: number

  /** @param retryAfter whole seconds */
  constructor(retryAfter: number) {
    super(`Too often: wait ${retryAfter} seconds.`)
    this.retryAfter = retryAfter
  }
}

function limiterOf(trial: Trial) {
  return processState(`trial-limit-${trial}`, () =>
    newLimiter({ name: `trial-${trial}`, points: trialLimits[trial], seconds: 60 }),
  )
}

/** Counts a trial of a console user's, in the console and by all their API tokens. @throws TooOftenError */
export async function takeTrial({ userId }: Viewer, trial: Trial): Promise<void> {
  const wait = await takeFrom(limiterOf(trial), userId)
  if (wait > 0) throw new TooOftenError(Math.ceil(wait / 1_000))
}
