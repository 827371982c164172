import type { Answerer, ChatAnswer, ChatMessage, ChatRequest } from './chat.ts'

/** `[[word]]` or `[[word and what it needs]]`, as it stands in a message. */
const DIRECTIVE = /\[\[([a-z_]+)(?:\s+([\s\S]*?))?\]\](?!\])/g

const MEBIBYTE = 1024 * 1024

function instructionsOf({ messages }: ChatRequest): string {
  return messages.find(({ role }) => role === 'system')?.content ?? ''
}

function readCall(rest: string): ChatAnswer {
  const [tool = '', ...given] = rest.split(/\s+/)
  return { calls: [{ tool, arguments: given.join(' ') || '{}' }] }
}

/** What each word makes of an answer. */
const directives: Record<string, (rest: string, request: ChatRequest) => ChatAnswer> = {
  say: (rest) => ({ text: rest }),
  call: readCall,
  instructions: (_rest, request) => ({ text: instructionsOf(request) }),
  slow: (rest) => ({ delay: Number(rest) || 1_000 }),
  hang: () => ({ hang: true }),
  status: (rest) => ({ status: Number(rest) || 500, raw: '{"error":{"message":"as you wish"}}' }),
  redirect: (rest) => ({ status: 302, headers: { Location: rest || '/' }, raw: '' }),
  html: () => ({ raw: '<!doctype html><title>Hello</title>', headers: { 'Content-Type': 'text/html' } }),
  broken: () => ({ raw: '{"choices":[{"message":' }),
  nothing: () => ({ raw: '' }),
  empty: () => ({ text: '' }),
  null_bytes: () => ({ text: '\0a\0b\0' }),
  huge: (rest) => ({ text: 'x'.repeat((Number(rest) || 2) * MEBIBYTE) }),
  cut: () => ({ text: 'This ends too early', cut: true }),
}

function readDirectives({ content }: ChatMessage, request: ChatRequest): ChatAnswer | undefined {
  const found = [...content.matchAll(DIRECTIVE)].flatMap(([, word = '', rest = '']) => {
    const answer = directives[word]?.(rest.trim(), request)
    return answer ? [answer] : []
  })
  if (found.length === 0) return undefined
  const calls = found.flatMap((answer) => answer.calls ?? [])
  return Object.assign({}, ...found, calls.length > 0 ? { calls } : {})
}

/**
 * A model that does what the last message says in `[[…]]`, whoever wrote it: a User, or a tool's answer. Everything else goes
 * to `otherwise`.
 */
export function obeyDirectives(otherwise: Answerer): Answerer {
  return async (request) => {
    const last = request.messages.at(-1)
    const told = last && readDirectives(last, request)
    const says = told && (told.text ?? told.calls ?? told.raw ?? told.hang) !== undefined
    return says ? told : { ...(await otherwise(request)), ...told }
  }
}
