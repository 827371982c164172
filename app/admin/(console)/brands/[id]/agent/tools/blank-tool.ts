/** A tool as its fields show it. */
export type ToolRow = {
  name: string
  description: string
  method: string
  url: string
  scope: string
  changes: boolean
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
  changes: false,
  arguments: '',
  query: '',
  userArgument: '',
  header: '',
  timeLimitSeconds: '',
}
