import { ModelFailure } from './llm/model-failure.ts'
import { AgentFailedError, AgentStoppedError, AgentTimeoutError } from './run-turn.ts'
import { ToolFailedError } from './tools/tool-failed-error.ts'
import { BotError } from './webhook/bot-error.ts'

/** Why a turn failed, as the console tells it: nothing of what anybody said. */
export const failureCodes = [
  /** It took longer than its time limit. */
  'time-limit',
  /** The bot gave no answer. */
  'bot-silent',
  /** It answered with another status than 200. */
  'bot-status',
  /** What it answered can't be used. */
  'bot-unusable',
  /** It was not asked: it failed too often just before. */
  'bot-resting',
  /** The model gave no answer that can be used. */
  'model-failed',
  /** A call of the Brand's API failed, and the agent has no words for that. */
  'tool-failed',
  /** What the agent answered can't be stored or sent. */
  'unusable',
  /** The conversation had gone on without it. */
  'too-late',
  /** The process that ran it ended. */
  'stopped',
  /** Anything else, such as a database that failed. */
  'failed',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** Why a turn failed. @param fault what it ended with, or what stood in the way of its answer */
export function codeFailure(fault: unknown): FailureCode {
  if (fault instanceof AgentTimeoutError) return 'time-limit'
  if (fault instanceof AgentStoppedError) return 'stopped'
  if (fault instanceof BotError) return fault.code
  if (fault instanceof ModelFailure) return 'model-failed'
  if (fault instanceof ToolFailedError) return 'tool-failed'
  if (!(fault instanceof AgentFailedError)) return 'failed'
  return fault.cause === undefined ? 'unusable' : codeFailure(fault.cause)
}

/** A code as it was stored; undefined for what is none, or none any more. */
export function readFailureCode(stored: string | null): FailureCode | undefined {
  return failureCodes.find((code) => code === stored)
}
