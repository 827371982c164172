import {
  type AgentForm,
  type AgentInput,
  given,
  readLines,
  readNumber,
  readPart,
  readText,
  readTyped,
} from './agent-form.ts'

/** The agent as the form of rules says, with the tools that it has. */
export function withRules({ tools }: AgentInput, form: AgentForm): unknown {
  const rules = form.rows('rules').map(({ row, at }) => {
    const when = readPart(row, 'when')
    return given({
      when: given({
        match: readTyped(when, 'match'),
        words: readLines(when, 'words'),
        state: readTyped(when, 'state'),
      }),
      call: form.yaml(row, 'call', at),
      missingScopes: readTyped(row, 'missingScopes'),
      failed: readTyped(row, 'failed'),
      set: form.yaml(row, 'set', at),
      reply: readTyped(row, 'reply') ?? '',
      close: row.close === 'on' ? true : undefined,
      delaySeconds: readNumber(row, 'delaySeconds'),
    })
  })
  const { fields } = form
  return given({
    driver: 'scripted',
    timeLimitSeconds: readNumber(fields, 'timeLimitSeconds'),
    rules,
    fallback: readTyped(fields, 'fallback') ?? '',
    tools,
  })
}

/** The agent as the form of a model says, with the tools that it has. */
export function withModel({ tools }: AgentInput, { fields }: AgentForm): unknown {
  return given({
    driver: 'llm',
    endpoint: readText(fields, 'endpoint') ?? '',
    model: readText(fields, 'model') ?? '',
    instructions: readText(fields, 'instructions') ?? '',
    temperature: readNumber(fields, 'temperature'),
    maxSteps: readNumber(fields, 'maxSteps'),
    maxOutputTokens: readNumber(fields, 'maxOutputTokens'),
    contextTokens: readNumber(fields, 'contextTokens'),
    maxTurnTokens: readNumber(fields, 'maxTurnTokens'),
    timeLimitSeconds: readNumber(fields, 'timeLimitSeconds'),
    missingScopes: readText(fields, 'missingScopes'),
    failed: readText(fields, 'failed'),
    tools,
  })
}

/** The agent as the form of a bot says, with the tools that it has. */
export function withBot({ tools }: AgentInput, { fields }: AgentForm): unknown {
  return given({
    driver: 'webhook',
    url: readText(fields, 'url') ?? '',
    history: readText(fields, 'history'),
    timeLimitSeconds: readNumber(fields, 'timeLimitSeconds'),
    tools,
  })
}
