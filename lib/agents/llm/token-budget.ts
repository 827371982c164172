import type { LlmAgent } from '../llm-schema.ts'
import { BYTES_PER_TOKEN } from './context-window.ts'
import type { ModelAnswer } from './model.ts'

/** How many tokens a turn has left. */
export type TokenBudget = {
  /** False: the model must not be asked any more. The first time it always may. */
  mayAsk(): boolean
  /** False: after this answer there is nothing left for another, so it must be in words. */
  mayCall(): boolean
  /** @param read what the model was given, in bytes: for an endpoint that does not count */
  spend(answer: ModelAnswer, read: number): void
}

function countTokens({ inputTokens, outputTokens, text, calls }: ModelAnswer, read: number): number {
  const written = Buffer.byteLength(text + JSON.stringify(calls))
  const estimated = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)
  return (inputTokens || estimated(read)) + (outputTokens || estimated(written))
}

/** Counts what a turn spends. What the model has read once, it reads again the next time: an answer costs what the last did. */
export function openBudget({
  maxTurnTokens,
  maxOutputTokens,
}: Pick<LlmAgent, 'maxTurnTokens' | 'maxOutputTokens'>): TokenBudget {
  let left = maxTurnTokens
  let next = 0
  return {
    mayAsk: () => left >= next,
    mayCall: () => left >= 2 * next,
    spend(answer, read) {
      const spent = countTokens(answer, read)
      left -= spent
      next = spent + Math.min(maxOutputTokens, spent)
    },
  }
}
