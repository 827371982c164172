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
import { readPairs } from './pair-values.ts'
import { texts } from './texts.ts'

function readCalls(form: AgentForm, ...rule: (string | number)[]): unknown {
  const calls = form.rows(...rule, 'call').map(({ row, at }) => {
    const tool = readText(row, 'tool')
    if (tool === undefined) form.findings.push({ path: [...at, 'tool'], reason: texts.required })
    return given({
      tool,
      arguments: readPairs(form, ...at, 'arguments'),
      as: readText(row, 'as'),
    })
  })
  return calls.length > 0 ? calls : undefined
}

/** The agent as the form of rules says, with the tools that it has. */
export function withRules({ tools }: AgentInput, form: AgentForm): unknown {
  const rules = form.rows('rules').map(({ row, at: [list = '', index = 0] }) => {
    const when = readPart(row, 'when')
    return given({
      when: given({
        match: readTyped(when, 'match'),
        words: readLines(when, 'words'),
        state: readTyped(when, 'state'),
      }),
      call: readCalls(form, list, index),
      missingScopes: readTyped(row, 'missingScopes'),
      failed: readTyped(row, 'failed'),
      set: readPairs(form, list, index, 'set'),
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
