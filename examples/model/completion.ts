import { createHash } from 'node:crypto'
import type { ChatAnswer, ChatRequest } from './chat.ts'

function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24)
}

function toToolCalls({ messages }: ChatRequest, { calls = [] }: ChatAnswer) {
  return calls.map(({ tool, arguments: given }, index) => ({
    id: `call_${messages.length}_${index}`,
    type: 'function',
    function: { name: tool, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
}

/** The answer as a `chat.completion`. */
export function buildCompletion(request: ChatRequest, answer: ChatAnswer) {
  const toolCalls = toToolCalls(request, answer)
  const read = countTokens(request.messages.map(({ content }) => content).join(''))
  const written = countTokens((answer.text ?? '') + JSON.stringify(answer.calls ?? []))
  return {
    id: `chatcmpl-${hash(request)}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: read, completion_tokens: written, total_tokens: read + written },
  }
}

/** The same answer as `chat.completion.chunk`s, a word each: the bodies of server-sent events. */
export function buildChunks(request: ChatRequest, answer: ChatAnswer): string[] {
  const { choices, usage, ...head } = buildCompletion(request, answer)
  const [choice] = choices
  const calls = choice?.message.tool_calls?.map((call, index) => ({ ...call, index }))
  const deltas = [
    { role: 'assistant' },
    ...(answer.text ?? '').split(/(?<=\s)/).flatMap((content) => (content === '' ? [] : { content })),
    ...(calls ? [{ tool_calls: calls }] : []),
  ]
  const chunk = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
  const last = JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })
  return [...deltas.map((delta) => chunk(delta)), chunk({}, choice?.finish_reason), last, '[DONE]']
}
