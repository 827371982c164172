import { MAX_CHECKED_TURNS } from '#lib/agents/checks/max-turns.ts'
import type { CheckRow } from './check-row.ts'

const LONGEST_NAME = 80

/** A turn that was tried, in the words of a check's fields. */
export type NotedTurn = {
  say: string
  turn: string
  scopes: string
  /** What stood in for the Brand's API, for each tool that was called. */
  answers: readonly { tool: string; answer: string }[]
  /** The tools that were called without an answer: theirs is a refusal. */
  unanswered: readonly string[]
  closes: boolean
}

/** A check that was made of what somebody tried, and what its author must know of it. */
export type TriedCheck = {
  row: CheckRow
  /** The tools for which nobody said what the Brand's API answers. */
  unanswered: string[]
  /** Whether the conversation began earlier than the check does: what the agent remembered of that is not there. */
  isCut: boolean
}

/** Adds a turn's answers to those of the turns after it. @returns whether a check can have both: it has one for each tool */
function addAnswers(all: Map<string, string>, { answers }: NotedTurn): boolean {
  if (answers.some(({ tool, answer }) => (all.get(tool) ?? answer) !== answer)) return false
  for (const { tool, answer } of answers) all.set(tool, answer)
  return true
}

/**
 * The check that a tried conversation makes: as many of its last turns as one check can have, which has one permission and
 * one answer for each tool. Undefined: nothing was tried.
 *
 * @param noted from the beginning of the conversation on; after one that closed it, another one begins
 */
export function toCheckRow(noted: readonly NotedTurn[]): TriedCheck | undefined {
  const last = noted.at(-1)
  if (!last) return undefined
  const conversation = noted.slice(noted.slice(0, -1).findLastIndex(({ closes }) => closes) + 1)
  const latest = conversation.slice(-MAX_CHECKED_TURNS)
  const answers = new Map<string, string>()
  const before = latest.findLastIndex((turn) => turn.scopes !== last.scopes || !addAnswers(answers, turn))
  const turns = latest.slice(before + 1)
  const unanswered = [...new Set(turns.flatMap((turn) => turn.unanswered))]
  // By characters: half of one is no text.
  const name = [...(turns[0]?.say ?? '').replace(/\s+/g, ' ').trim()].slice(0, LONGEST_NAME).join('')
  const row = {
    name,
    scopes: last.scopes,
    answers: [...answers.values()].join('\n'),
    turns: turns.map(({ turn }) => turn).join('\n'),
  }
  return { row, unanswered, isCut: turns.length < conversation.length }
}
