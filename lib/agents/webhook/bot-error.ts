import type { Action } from '../agent.ts'

/** What a bot says that it did, and under which scopes. */
export type BotDone = { actions: Action[]; scopesUsed: string[] }

/** The Brand's bot gave no answer, or one that can't be used. The message is for the log, and holds nothing that was said. */
export class BotError extends Error {
  override name = 'BotError'
  /** What the answer says for all that; undefined where it says nothing that can be read. */
  readonly done: BotDone | undefined

  constructor(message: string, { done, ...options }: ErrorOptions & { done?: BotDone | undefined } = {}) {
    super(message, options)
    this.done = done
  }
}
