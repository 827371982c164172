/** A tool as its fields show it. */
export type ToolRow = {
  name: string
  description: string
  method: string
  url: string
  scope: string
  /** Empty: as the method says. */
  changes: '' | 'yes' | 'no'
  arguments: string
  query: string
  userArgument: string
  header: string
  timeLimitSeconds: string
}

export const blankTool: ToolRow = {
  name: '',
  description: '',
  method: 'GET',
  url: '',
  scope: '',
  changes: '',
  arguments: '',
  query: '',
  userArgument: '',
  header: '',
  timeLimitSeconds: '',
}
