import type { LlmAgent } from '../llm-schema.ts'
import type { ModelTool } from './model-tools.ts'

/** Nobody knows how a model's endpoint counts. A token of any language has at least about as many bytes of UTF-8. */
const BYTES_PER_TOKEN = 3
/** What an endpoint puts around a message or a tool, in bytes. */
const OVERHEAD = 100
/** What a tool's answer may take of the window at most; a turn may have many. */
const ANSWER_SHARE = 4
const MIN_ANSWER_BYTES = 2_000

/** How much text fits into a model's window. */
export type ContextWindow = {
  /**
   * How much of the conversation's past fits beside a new message, in bytes. The instructions, the tools, the message and the
   * answer come first, whatever their size.
   */
  historyBytes(text: string): number
  /** How much of one answer of a tool the model is given, in bytes. */
  answerBytes: number
}

/** Measures a model's window, carefully: rather a turn too few than a request that is refused. */
export function measureWindow(
  { contextTokens, maxOutputTokens, instructions }: LlmAgent,
  tools: ReadonlyMap<string, ModelTool>,
): ContextWindow {
  const offered = [...tools].map(([name, { description, schema }]) =>
    JSON.stringify({ name, description, schema }),
  )
  const fixed = [instructions, ...offered].reduce((sum, text) => sum + Buffer.byteLength(text) + OVERHEAD, 0)
  const all = contextTokens * BYTES_PER_TOKEN
  const left = all - maxOutputTokens * BYTES_PER_TOKEN - fixed
  return {
    historyBytes: (text) => Math.max(0, left - Buffer.byteLength(text) - OVERHEAD),
    answerBytes: Math.max(MIN_ANSWER_BYTES, Math.floor(all / ANSWER_SHARE)),
  }
}
