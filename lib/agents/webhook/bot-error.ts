import type { Action } from '../agent.ts'

/** What a bot says that it did, and under which scopes. */
export type BotDone = { actions: Action[]; scopesUsed: string[] }

/** How a bot fails; see {@link failureCodes}. */
type BotFailureCode = 'bot-silent' | 'bot-status' | 'bot-unusable' | 'bot-resting'

/** The Brand's bot gave no answer, or one that can't be used. The message is for the log, and holds nothing that was said. */
export class BotError extends Error {
  override name = 'BotError'
  readonly code: BotFailureCode
  /** What the answer says for all that; undefined where it says nothing that can be read. */
  readonly done: BotDone | undefined

  constructor(
    code: BotFailureCode,
    message: string,
    { done, ...options }: ErrorOptions & { done?: BotDone | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.done = done
  }
}

/** The bot's answer can't be used. @param reason what is wrong with it */
export function unusableAnswer(
  reason: string,
  options?: ConstructorParameters<typeof BotError>[2],
): BotError {
  return new BotError('bot-unusable', `the bot's answer is unusable: ${reason}`, options)
}
