import {
  type AgentForm,
  type AgentInput,
  given,
  readList,
  readNumber,
  readPart,
  readText,
} from '../agent-form.ts'

function readChanges(row: Parameters<typeof readText>[0]): boolean | undefined {
  const said = readText(row, 'changes')
  return said === undefined ? undefined : said === 'yes'
}

/** The agent with the tools that a form says. */
export function withTools(agent: AgentInput, form: AgentForm): unknown {
  const tools = form.rows('tools').map(({ row, at }) => {
    const request = readPart(row, 'request')
    const header = readText(readPart(request, 'header'), 'name')
    return given({
      name: readText(row, 'name') ?? '',
      description: readText(row, 'description') ?? '',
      scope: readText(row, 'scope'),
      changes: readChanges(row),
      userArgument: readText(row, 'userArgument'),
      arguments: form.yaml(row, 'arguments', at),
      request: given({
        method: readText(request, 'method'),
        url: readText(request, 'url') ?? '',
        timeLimitSeconds: readNumber(request, 'timeLimitSeconds'),
        query: readList(request, 'query'),
        header: header === undefined ? undefined : { name: header },
      }),
    })
  })
  return { ...agent, tools }
}
