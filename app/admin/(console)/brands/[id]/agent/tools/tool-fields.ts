import { type AgentForm, type AgentInput, given, readList, readNumber, readText } from '../agent-form.ts'

function readChanges(row: Parameters<typeof readText>[0]): boolean | undefined {
  const said = readText(row, 'changes')
  return said === undefined ? undefined : said === 'yes'
}

/** The agent with the tools that a form says. */
export function withTools(agent: AgentInput, form: AgentForm): unknown {
  const tools = form.rows('tools').map(({ row, at }) => {
    const header = readText(row, 'header')
    return given({
      name: readText(row, 'name') ?? '',
      description: readText(row, 'description') ?? '',
      scope: readText(row, 'scope'),
      changes: readChanges(row),
      userArgument: readText(row, 'userArgument'),
      arguments: form.yaml(row, 'arguments', at),
      request: given({
        method: readText(row, 'method'),
        url: readText(row, 'url') ?? '',
        timeLimitSeconds: readNumber(row, 'timeLimitSeconds'),
        query: readList(row, 'query'),
        header: header === undefined ? undefined : { name: header },
      }),
    })
  })
  return { ...agent, tools }
}
