/** A call of the Brand's API failed, and stopped what was to follow. The message is for the log. */
export class ToolFailedError extends Error {
  override name = 'ToolFailedError'

  constructor(tool: string, reason: string) {
    super(`The tool ${tool} failed: ${reason}`)
  }
}
