/** A tool as its fields show it, and are named. */
export type ToolRow = {
  name: string
  description: string
  request: { method: string; url: string; query: string; header: { name: string }; timeLimitSeconds: string }
  scope: string
  /** Empty: as the method says. */
  changes: '' | 'yes' | 'no'
  arguments: string
  userArgument: string
}

export const blankTool: ToolRow = {
  name: '',
  description: '',
  request: { method: 'GET', url: '', query: '', header: { name: '' }, timeLimitSeconds: '' },
  scope: '',
  changes: '',
  arguments: '',
  userArgument: '',
}
