import type { ModelMessage } from 'ai'
import type { PastTurn, Turn } from '../agent.ts'
import { type ContextWindow, sizeOf } from './context-window.ts'
import type { ModelAnswer } from './model.ts'
import type { ToldResult } from './told-result.ts'

/** What is said in a turn, as its model is given it. */
export type TurnMessages = {
  /** What went before it, oldest first: less and less of it, as the turn's own messages grow. */
  past: readonly PastTurn[]
  /** The User's message, the model's calls and what they were answered. */
  own: readonly ModelMessage[]
  /** What `own` takes of the window, in bytes. */
  size: number
}

/** The User's message, after as much of the conversation as fits beside it. */
export async function openMessages({ text, history }: Turn, window: ContextWindow): Promise<TurnMessages> {
  const room = window.historyBytes(text)
  const past = room > 0 ? await history(room) : []
  return { past, own: [{ role: 'user', content: text }], size: sizeOf(text) }
}

function withAdded({ own, size, past }: TurnMessages, added: readonly ModelMessage[]): TurnMessages {
  const more = added.reduce((sum, { content }) => sum + sizeOf(JSON.stringify(content)), 0)
  return { past, own: [...own, ...added], size: size + more }
}

/** The turn's messages with the calls that the model wishes for. */
export function addWishes(messages: TurnMessages, answer: ModelAnswer): TurnMessages {
  return withAdded(messages, answer.messages)
}

/**
 * The turn's messages with what became of those calls. Answers of tools stand where tools speak, as JSON: never where the
 * Brand or the User does.
 */
export function addResults(
  messages: TurnMessages,
  { calls }: ModelAnswer,
  told: readonly ToldResult[],
): TurnMessages {
  const content = calls.map(({ id, tool }, index) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: tool,
    output: { type: 'json' as const, value: JSON.parse(JSON.stringify(told[index])) },
  }))
  return withAdded(messages, [{ role: 'tool', content }])
}

/** All messages of a turn, with as many whole turns before it as the window holds: the latest. */
export function fitMessages(
  { past, own, size }: TurnMessages,
  { messageBytes }: ContextWindow,
): ModelMessage[] {
  let room = messageBytes - size
  const first = past.findLastIndex(({ text, reply }) => {
    room -= sizeOf(text) + sizeOf(reply)
    return room < 0
  })
  return [
    ...past.slice(first + 1).flatMap((turn): ModelMessage[] => [
      { role: 'user', content: turn.text },
      { role: 'assistant', content: turn.reply },
    ]),
    ...own,
  ]
}
