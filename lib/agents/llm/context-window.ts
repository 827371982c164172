import type { LlmAgent } from '../llm-schema.ts'
import type { ModelTool } from './model-tools.ts'

/** Nobody knows how a model's endpoint counts. A token of any language has at least about as many bytes of UTF-8. */
export const BYTES_PER_TOKEN = 3
/** What an endpoint puts around a message or a tool, in bytes. */
const OVERHEAD = 100
/** What one answer of a tool may take of the window at most, and of the room that a turn's calls have left. */
const ANSWER_SHARE = 4
const ROOM_SHARE = 2
/** What a tool's answer is given where there is no room for it; where there is less, no more calls are wished for. */
export const MIN_ANSWER_BYTES = 500

/** How much text fits into a model's window. */
export type ContextWindow = {
  /**
   * How much of the conversation's past fits beside a new message, in bytes. The instructions, the tools, the message and the
   * answer come first, whatever their size.
   */
  historyBytes(text: string): number
  /** How much the messages of a turn may take together, with what stands around them, in bytes; negative: nothing fits. */
  messageBytes: number
  /**
   * How much of one answer of a tool the model is given, in bytes: never all the room, so that the next one has some.
   *
   * @param room what is left of {@link messageBytes}
   */
  answerBytes(room: number): number
}

/** What a message takes of a window, in bytes. */
export function sizeOf(content: string): number {
  return Buffer.byteLength(content) + OVERHEAD
}

/** Measures a model's window, carefully: rather a turn too few than a request that is refused. */
export function measureWindow(
  { contextTokens, maxOutputTokens, instructions }: LlmAgent,
  tools: ReadonlyMap<string, ModelTool>,
): ContextWindow {
  const offered = [...tools].map(([name, { description, schema }]) =>
    JSON.stringify({ name, description, schema }),
  )
  const fixed = [instructions, ...offered].reduce((sum, text) => sum + sizeOf(text), 0)
  const all = contextTokens * BYTES_PER_TOKEN
  const left = all - maxOutputTokens * BYTES_PER_TOKEN - fixed
  return {
    historyBytes: (text) => Math.max(0, left - sizeOf(text)),
    messageBytes: left,
    answerBytes: (room) =>
      Math.max(MIN_ANSWER_BYTES, Math.floor(Math.min(all / ANSWER_SHARE, room / ROOM_SHARE))),
  }
}
