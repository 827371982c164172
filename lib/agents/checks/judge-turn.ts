import { isDeepStrictEqual } from 'node:util'
import type { Action } from '../agent.ts'
import type { RehearsedCall, RehearsedTurn } from '../rehearsal.ts'
import type { ToolArguments } from '../tools/argument-schema.ts'
import { hashArguments } from '../tools/arguments-hash.ts'
import type { CheckedTurn } from './schema.ts'

type ExpectedCall = NonNullable<CheckedTurn['calls']>[number]

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function judgeArguments({ tool, arguments: wanted = {} }: ExpectedCall, call: RehearsedCall): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const found = Object.hasOwn(call.arguments, name) ? call.arguments[name] : undefined
    if (isDeepStrictEqual(found, value)) return []
    return [`${tool} was called with ${name} = ${show(found)} instead of ${show(value)}`]
  })
}

function findHash(values: ToolArguments): string | undefined {
  try {
    return hashArguments(values)
  } catch {
    return undefined
  }
}

/** A bot tells the hash of its arguments at most: they must be exactly those that are wanted. */
function judgeAction({ tool, arguments: wanted = {} }: ExpectedCall, { argsHash }: Action): string[] {
  if (Object.keys(wanted).length === 0) return []
  const hash = findHash(wanted)
  if (hash !== undefined && hash === argsHash) return []
  return [`${tool} was called with other arguments than ${show(wanted)}`]
}

/**
 * @param made what was called, in its order
 * @param judge what is otherwise with a call
 */
function compareCalls<Made extends { tool: string }>(
  wanted: readonly ExpectedCall[],
  made: readonly Made[],
  judge: (expected: ExpectedCall, call: Made) => string[],
): string[] {
  const names = (calls: readonly { tool: string }[]) => calls.map(({ tool }) => tool).join(', ') || 'nothing'
  if (names(made) !== names(wanted)) return [`it called ${names(made)} instead of ${names(wanted)}`]
  return made.flatMap((call, index) => {
    const expected = wanted[index]
    return expected ? judge(expected, call) : []
  })
}

/** The Brand's own bot calls nothing through us: what it did is what it says. */
function judgeCalls({ calls: wanted }: CheckedTurn, { steps, calls, actions }: RehearsedTurn): string[] {
  if (!wanted) return []
  const isBot = steps.some(({ kind }) => kind === 'bot')
  return isBot ? compareCalls(wanted, actions, judgeAction) : compareCalls(wanted, calls, judgeArguments)
}

function judgeStepUp({ stepUp = [] }: CheckedTurn, { missingScopes }: RehearsedTurn): string[] {
  const show = (ids: readonly string[]) => [...new Set(ids)].sort().join(', ') || 'nothing'
  if (show(stepUp) === show(missingScopes)) return []
  return [`it asked for ${show(missingScopes)} instead of ${show(stepUp)}`]
}

/** As people compare words: without case, and however a letter is composed. */
function fold(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('en').replace(/\s+/g, ' ')
}

function judgeWords({ has = [], hasNot = [] }: CheckedTurn, { reply = '' }: RehearsedTurn): string[] {
  const folded = fold(reply)
  return [
    ...has.filter((words) => !folded.includes(fold(words))).map((words) => `the reply lacks “${words}”`),
    ...hasNot.filter((words) => folded.includes(fold(words))).map((words) => `the reply has “${words}”`),
  ]
}

function judgeEnd({ closes }: CheckedTurn, { close }: RehearsedTurn): string[] {
  if (closes === undefined || closes === close) return []
  return [close ? 'the conversation ended' : 'the conversation did not end']
}

/** Calls for which the check has no answer: nothing is known of what the agent would have made of one. */
function judgeAnswers({ calls }: RehearsedTurn, answered: ReadonlySet<string>): string[] {
  const without = new Set(calls.map(({ tool }) => tool).filter((tool) => !answered.has(tool)))
  return [...without].map((tool) => `it called ${tool}, for which the check has no answer`)
}

/**
 * Compares what came of a turn with what must.
 *
 * @param answered the tools for which the check has an answer
 * @returns what is otherwise, in words; empty: it passed
 */
export function judgeTurn(wanted: CheckedTurn, turn: RehearsedTurn, answered: ReadonlySet<string>): string[] {
  if (turn.reply === undefined) return [`the turn failed: ${turn.fault ?? 'without a reason'}`]
  return [
    ...judgeAnswers(turn, answered),
    ...judgeCalls(wanted, turn),
    ...judgeStepUp(wanted, turn),
    ...judgeWords(wanted, turn),
    ...judgeEnd(wanted, turn),
  ]
}
