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
    method: request.method,
    url: request.url,
    scope: scope ?? '',
    changes: changes === undefined ? '' : changes ? 'yes' : 'no',
    arguments: toYaml(tool.arguments),
    query: request.query?.join(', ') ?? '',
    userArgument: userArgument ?? '',
    header: request.header?.name ?? '',
    timeLimitSeconds: request.timeLimitSeconds === undefined ? '' : String(request.timeLimitSeconds),
  }
}
