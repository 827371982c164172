/** The Brand's bot gave no answer, or one that can't be used. The message is for the log, and holds nothing that was said. */
export class BotError extends Error {
  override name = 'BotError'
}
