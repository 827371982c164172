import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Answer } from '#lib/agents/agent.ts'
import type { IncomingMessage, Reply, TurnResult } from '#lib/conversations/conversation.ts'

/** How long a conversation of these tests may rest, in milliseconds, where it does not matter. */
export const HOUR = 3_600_000

/** A Brand's agent that counts its turns and says the number, after `pause` milliseconds. `seen`: what it was told, and when. */
export function countingAgent(change: Partial<Answer> & { pause?: number; timeLimit?: number } = {}) {
  const { pause = 0, timeLimit = 5_000, ...outcome } = change
  const seen: { text: string; from: number; to: number }[] = []
  const agent: Agent = {
    timeLimit,
    async run({ text, state, signal }) {
      const turn = { text, from: performance.now(), to: 0 }
      seen.push(turn)
      if (pause) await sleep(pause, undefined, { signal })
      turn.to = performance.now()
      const turns = Number(state.turns ?? 0) + 1
      const done = { actions: [], scopesUsed: [] }
      return { reply: `turn ${turns}: ${text}`, state: { turns }, close: false, ...done, ...outcome }
    },
  }
  return { agent, seen, idleTime: HOUR }
}

/** A User's message; without `contextId` it begins a conversation. */
export function say(text: string, contextId?: string, messageId: string = randomUUID()): IncomingMessage {
  return { text, contextId, messageId }
}

/** @throws where there is none */
export function replyOf(result: TurnResult): Reply {
  if (result.kind !== 'replied') throw new Error(`not replied: ${result.kind}`)
  return result.reply
}
