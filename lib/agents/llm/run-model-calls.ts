import type { Action, Turn } from '../agent.ts'
import { findLostRight } from '../lost-right.ts'
import type { ToolArguments } from '../tools/argument-schema.ts'
import { buildIdempotencyKey, type PreparedCall, prepareCall, sendCall } from '../tools/call-tool.ts'
import type { Tool } from '../tools/tool.ts'
import type { ModelCall } from './model.ts'
import type { ModelTool } from './model-tools.ts'
import { type ToldResult, tellResult } from './told-result.ts'

/** How many calls one turn may send. */
const MAX_CALLS = 20

/** A turn's calls so far. */
export type TurnCalls = {
  readonly turn: Turn
  readonly tools: ReadonlyMap<string, ModelTool>
  /** When the last call must be over, by `performance.now()`. */
  readonly until: number
  /** How much of an answer the model is given, in bytes. */
  readonly answerBytes: number
  /** The scopes that the model's calls needed and the token lacks: the turn ends in step-up. */
  readonly missing: Set<string>
  /** The delegation token counts no more: nothing is called any more. */
  tokenEnded: boolean
  /** How many calls were sent, or were about to be. */
  sent: number
  /** How often each call, with its very arguments, was made. */
  readonly repetitions: Map<string, number>
  /** What earlier runs of the same message did; undefined until it matters. */
  doneBefore: readonly Action[] | undefined
}

/** A call that a model may see through, before it is looked at who may make it; or why not. */
type Wish = { ok: true; tool: Tool; values: ToolArguments } | { ok: false; error: string }

/** What became of a wish, and the arguments that went out, the User's among them. */
type Fulfilled = { told: ToldResult; sent?: ToolArguments }

/** What the model is told of calls that are not made. */
const refusals = {
  missing: "Not called: the User's permission is missing. They are asked for it when you have answered.",
  held: 'Not called: another call needs a permission that is missing, and nothing is changed until it is there.',
  ended: "Not called: the User's permission has ended.",
  repeated: 'Not called again: it was called for this same message before, and has done its work.',
  tooMany: 'Not called: there were too many calls already. Answer now.',
} as const

function isArguments(value: unknown): value is ToolArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readWish(call: ModelCall, tools: ReadonlyMap<string, ModelTool>): Wish {
  const found = tools.get(call.tool)
  if (!found) return { ok: false, error: 'Not called: there is no such tool.' }
  if (!isArguments(call.arguments))
    return { ok: false, error: 'Not called: the arguments are no JSON object.' }
  // Who the User is, the model has nothing to say about: where it does so all the same, it is not heard.
  const { [found.tool.userArgument ?? '']: _user, ...own } = call.arguments
  const checked = found.check(own)
  if (!checked.ok) return { ok: false, error: `Not called: ${checked.fault}.` }
  return { ok: true, tool: found.tool, values: checked.values }
}

/** Looks for what a call lacks, and writes it down: missing scopes are asked for together at the turn's end. */
async function findRefusal({ tool }: { tool: Tool }, calls: TurnCalls): Promise<string | undefined> {
  const lost = await findLostRight(tool, calls.turn.access)
  if (lost === 'token-ended') calls.tokenEnded = true
  if (lost === 'scope-missing' && tool.scope !== undefined) calls.missing.add(tool.scope)
  if (calls.tokenEnded) return refusals.ended
  if (lost) return refusals.missing
  if (tool.changes && calls.missing.size > 0) return refusals.held
  return calls.sent >= MAX_CALLS ? refusals.tooMany : undefined
}

/** True for a call that an earlier run of this message made with other arguments, or may have made more often. */
async function wasDoneOtherwise(tool: Tool, { action }: PreparedCall['call'], nth: number, calls: TurnCalls) {
  if (!tool.changes) return false
  calls.doneBefore ??= await calls.turn.doneBefore()
  const before = calls.doneBefore.filter((done) => done.tool === action.tool)
  return before.length > 0 && (nth > 0 || !before.some((done) => done.argsHash === action.argsHash))
}

/**
 * Makes one call, once. A turn that ends in step-up runs again under the same `messageId`, and a model need not say the same
 * again. So a call's `Idempotency-Key` is made of context, message, tool, the hash of its arguments, and how often this very
 * call was made before it in the turn: not of its place among the others, which may change. The same call in the second run
 * has the same key, and the Brand's API knows that it has done it. A call that changes something and was made in the first run
 * with other arguments would have another key: it is not made.
 */
async function makeCall(tool: Tool, values: ToolArguments, calls: TurnCalls): Promise<Fulfilled> {
  const { turn, until, answerBytes } = calls
  const prepared = prepareCall(tool, values, turn.access)
  if (!prepared.ok) return { told: { error: `Not called: ${prepared.fault}.` } }
  const { argsHash = '' } = prepared.call.action
  const nth = calls.repetitions.get(`${tool.name} ${argsHash}`) ?? 0
  if (await wasDoneOtherwise(tool, prepared.call, nth, calls)) return { told: { error: refusals.repeated } }
  calls.repetitions.set(`${tool.name} ${argsHash}`, nth + 1)
  calls.sent += 1
  const result = await sendCall(tool, prepared, {
    brandId: turn.brandId,
    access: turn.access,
    callApi: turn.callApi,
    idempotencyKey: buildIdempotencyKey(turn.contextId, turn.messageId, tool.name, argsHash, nth),
    signal: turn.signal,
    until,
    sent: turn.sent,
    usage: turn.usage,
  })
  const told = tellResult(result, { maxBytes: answerBytes, token: turn.access?.token })
  return { told, sent: prepared.arguments }
}

async function fulfil(wish: Wish, calls: TurnCalls): Promise<Fulfilled> {
  if (!wish.ok) return { told: { error: wish.error } }
  const refusal = await findRefusal(wish, calls)
  return refusal === undefined ? makeCall(wish.tool, wish.values, calls) : { told: { error: refusal } }
}

/**
 * Makes the calls that a model wishes for, one after the other in its order. Here is the gate of scopes: whatever made the
 * model wish for a call, one whose scope the token does not have at this moment is not made; and once one was wished for,
 * nothing is called any more that changes something, neither in the same answer nor after it (§5.5).
 *
 * @returns what the model is told of each, in the same order. It rejects only when the database fails.
 */
export async function runModelCalls(wished: readonly ModelCall[], calls: TurnCalls): Promise<ToldResult[]> {
  const wishes = wished.map((call) => readWish(call, calls.tools))
  for (const wish of wishes) if (wish.ok) await findRefusal(wish, calls)
  const results: ToldResult[] = []
  for (const [index, wish] of wishes.entries()) {
    const startedAt = performance.now()
    const { told, sent } = await fulfil(wish, calls)
    results.push(told)
    const { tool = '', arguments: given } = wished[index] ?? {}
    calls.turn.trace?.({
      kind: 'tool',
      tool,
      arguments: sent ?? given,
      answer: told.answer,
      time: performance.now() - startedAt,
      ...('error' in told ? { fault: told.error } : {}),
    })
  }
  return results
}
