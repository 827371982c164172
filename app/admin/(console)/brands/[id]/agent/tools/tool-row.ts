import type { AgentInput } from '../agent-form.ts'
import { toYaml } from '../rule-row-values.ts'
import type { ToolRow } from './blank-tool.ts'

type Tool = NonNullable<AgentInput['tools']>[number]

/** A tool as its fields show it. */
export function toToolRow({
  name,
  description,
  scope,
  changes,
  userArgument,
  request,
  ...tool
}: Tool): ToolRow {
  return {
    name,
    description,
    request: {
      method: request.method,
      url: request.url,
      query: request.query?.join(', ') ?? '',
      header: { name: request.header?.name ?? '' },
      timeLimitSeconds: request.timeLimitSeconds === undefined ? '' : String(request.timeLimitSeconds),
    },
    scope: scope ?? '',
    changes: changes === undefined ? '' : changes ? 'yes' : 'no',
    arguments: toYaml(tool.arguments),
    userArgument: userArgument ?? '',
  }
}
