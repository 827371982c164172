import { isMap } from '#lib/platform/json-map.ts'
import type { Action, EarlierCall, TraceStep, Turn } from '../agent.ts'
import { numberCall } from '../earlier-calls.ts'
import { findLostRight } from '../lost-right.ts'
import type { ToolArguments } from '../tools/argument-schema.ts'
import {
  buildIdempotencyKey,
  isOutcomeUnknown,
  prepareCall,
  sendCall,
  type ToolResult,
} from '../tools/call-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { type ContextWindow, sizeOf } from './context-window.ts'
import type { ModelCall } from './model.ts'
import type { ModelTool } from './model-tools.ts'
import { type ToldResult, tellResult } from './told-result.ts'

/** How many calls one turn may send. */
const MAX_CALLS = 20
/** How large the arguments of one call may be, in bytes of JSON. */
const MAX_ARGUMENTS_BYTES = 32 * 1024
/** How long the arguments of all calls of a turn may take to check, in milliseconds: nothing else runs meanwhile. */
const CHECKING_TIME = 500

/** A turn's calls so far. */
export type TurnCalls = {
  readonly turn: Turn
  readonly tools: ReadonlyMap<string, ModelTool>
  /** When the last call must be over, by `performance.now()`. */
  readonly until: number
  /** How much of an answer the model is given, in bytes, where its window has `room` left. */
  readonly answerBytes: ContextWindow['answerBytes']
  room: number
  /** The scopes that the model's calls needed and the token lacks: the turn ends in step-up. */
  readonly missing: Set<string>
  /** The delegation token counts no more: nothing is called any more. */
  tokenEnded: boolean
  /** How long arguments were checked, in milliseconds. */
  checking: number
  /** How many calls were sent, or were about to be. */
  sent: number
  /** How often each call, with its very arguments, was made. */
  readonly repetitions: Map<string, number>
  /** What earlier runs of the same message left; undefined until it matters. */
  earlier: readonly EarlierCall[] | undefined
  /** What the next run of the same message must know. */
  readonly forNextRun: EarlierCall[]
}

/** A call that a model may see through, before it is looked at who may make it; or why not. */
type Wish = { ok: true; tool: Tool; values: ToolArguments } | { ok: false; error: string }

/** What became of a wish, the arguments that went out, the User's among them, and why it failed, for the operator. */
type Fulfilled = { told: ToldResult; sent?: ToolArguments; reason?: string }

/** What the model is told of calls that are not made. */
const refusals = {
  missing: "Not called: the User's permission is missing. They are asked for it when you have answered.",
  held: 'Not called: another call needs a permission that is missing, and nothing is changed until it is there.',
  ended: "Not called: the User's permission has ended.",
  repeated:
    'Not called: for this same message the tool was called before, with other arguments or as often as this. This call was ' +
    'not made. If the User wants it besides, ask them to say so in a new message.',
  slow: 'Not called: the arguments take too long to check. Answer now.',
  tooMany: 'Not called: there were too many calls already. Answer now.',
} as const

type Refusal = keyof typeof refusals

/** Does what takes part in the turn's time for checking; undefined: that is over. */
function check<T>(calls: TurnCalls, work: () => T): T | undefined {
  if (calls.checking > CHECKING_TIME) return undefined
  const startedAt = performance.now()
  const checked = work()
  calls.checking += performance.now() - startedAt
  return checked
}

function readWish(call: ModelCall, tools: ReadonlyMap<string, ModelTool>): Wish {
  const found = tools.get(call.tool)
  if (!found) return { ok: false, error: 'Not called: there is no such tool.' }
  if (!isMap(call.arguments)) return { ok: false, error: 'Not called: the arguments are no JSON object.' }
  if (Buffer.byteLength(JSON.stringify(call.arguments)) > MAX_ARGUMENTS_BYTES)
    return { ok: false, error: 'Not called: the arguments are too large.' }
  // Who the User is, the model has nothing to say about: where it does so all the same, it is not heard.
  const { [found.tool.userArgument ?? '']: _user, ...own } = call.arguments
  const checked = found.check(own)
  if (!checked.ok) return { ok: false, error: `Not called: ${checked.fault}.` }
  return { ok: true, tool: found.tool, values: checked.values }
}

/** Looks for what a call lacks, and writes it down: missing scopes are asked for together at the turn's end. */
async function findRefusal({ tool }: { tool: Tool }, calls: TurnCalls): Promise<Refusal | undefined> {
  const lost = await findLostRight(tool, calls.turn.access)
  if (lost === 'token-ended') calls.tokenEnded = true
  if (lost === 'scope-missing' && tool.scope !== undefined) calls.missing.add(tool.scope)
  if (calls.tokenEnded) return 'ended'
  if (lost) return 'missing'
  if (tool.changes && calls.missing.size > 0) return 'held'
  return calls.sent >= MAX_CALLS ? 'tooMany' : undefined
}

/** Writes down a call that waits for a permission: the message's next run may make it, whatever else was done before. */
function holdBack({ tool, values }: { tool: Tool; values: ToolArguments }, calls: TurnCalls): void {
  if (!tool.changes) return
  const prepared = check(calls, () => prepareCall(tool, values, calls.turn.access))
  if (prepared?.ok) calls.forNextRun.push({ ...prepared.call.action, became: 'held' })
}

/** The call's number among those with the very same arguments; undefined where it is not to be made. */
async function findNumber(tool: Tool, action: Action, calls: TurnCalls): Promise<number | undefined> {
  const key = `${tool.name} ${action.argsHash}`
  const made = calls.repetitions.get(key) ?? 0
  if (tool.changes) calls.earlier ??= await calls.turn.earlierCalls()
  const nth = tool.changes ? numberCall(action, made, calls.earlier ?? []) : made
  if (nth !== undefined) calls.repetitions.set(key, made + 1)
  return nth
}

/** Writes down what became of a call, unless it certainly reached nobody. */
function noteMade(tool: Tool, action: Action, nth: number, result: ToolResult, calls: TurnCalls): void {
  if (!tool.changes || (!result.ok && !result.failure.sent)) return
  const became = result.ok || isOutcomeUnknown(result.failure) ? 'done' : 'refused'
  calls.forNextRun.push({ ...action, became, nth })
}

/**
 * Makes one call, once. A turn that ends in step-up runs again under the same `messageId`, and a model need not say the same
 * again. So a call's `Idempotency-Key` is made of context, message, tool, the hash of its arguments, and how often this very
 * call was made before it: not of its place among the others, which may change. The same call in the second run has the same
 * key, and the Brand's API knows that it has done it. One that changes something, by a tool that the first run has used in
 * other words, would have another key: it is not made, unless the first run held that very call back.
 */
async function makeCall(tool: Tool, values: ToolArguments, calls: TurnCalls): Promise<Fulfilled> {
  const { turn, until } = calls
  const prepared = check(calls, () => prepareCall(tool, values, turn.access))
  if (!prepared) return { told: { error: refusals.slow } }
  if (!prepared.ok) return { told: { error: `Not called: ${prepared.fault}.` } }
  const { action } = prepared.call
  const nth = await findNumber(tool, action, calls)
  if (nth === undefined) return { told: { error: refusals.repeated } }
  calls.sent += 1
  const result = await sendCall(tool, prepared, {
    brandId: turn.brandId,
    access: turn.access,
    callApi: turn.callApi,
    idempotencyKey: buildIdempotencyKey(
      turn.contextId,
      turn.messageId,
      tool.name,
      action.argsHash ?? '',
      nth,
    ),
    signal: turn.signal,
    until,
    sent: turn.sent,
    usage: turn.usage,
  })
  noteMade(tool, action, nth, result, calls)
  const told = tellResult(result, { maxBytes: calls.answerBytes(calls.room), token: turn.access?.token })
  const failed = result.ok ? {} : { reason: result.failure.reason }
  return { told, sent: prepared.arguments, ...failed }
}

async function fulfil(wish: Wish, calls: TurnCalls): Promise<Fulfilled> {
  if (!wish.ok) return { told: { error: wish.error } }
  const refusal = await findRefusal(wish, calls)
  if (refusal === undefined) return makeCall(wish.tool, wish.values, calls)
  if (refusal === 'missing' || refusal === 'held') holdBack(wish, calls)
  return { told: { error: refusals[refusal] } }
}

function describeStep(wanted: ModelCall, { told, sent, reason }: Fulfilled, time: number): TraceStep {
  const { tool, arguments: given } = wanted
  const step = { kind: 'tool', tool, arguments: sent ?? given, answer: told.answer, time } as const
  if (!('error' in told)) return step
  return { ...step, fault: reason === undefined ? told.error : `${told.error} (${reason})` }
}

/**
 * Makes the calls that a model wishes for, one after the other in its order. Here is the gate of scopes: whatever made the
 * model wish for a call, one whose scope the token does not have at this moment is not made; and once one was wished for,
 * nothing is called any more that changes something, neither in the same answer nor after it (§5.5).
 *
 * @returns what the model is told of each, in the same order. It rejects only when the database fails.
 */
export async function runModelCalls(wished: readonly ModelCall[], calls: TurnCalls): Promise<ToldResult[]> {
  const wishes = wished.map(
    (call): Wish => check(calls, () => readWish(call, calls.tools)) ?? { ok: false, error: refusals.slow },
  )
  for (const wish of wishes) if (wish.ok) await findRefusal(wish, calls)
  const results: ToldResult[] = []
  for (const [index, wish] of wishes.entries()) {
    const startedAt = performance.now()
    const fulfilled = await fulfil(wish, calls)
    const { told } = fulfilled
    results.push(told)
    calls.room -= sizeOf(JSON.stringify(told))
    const wanted = wished[index]
    if (wanted) calls.turn.trace?.(describeStep(wanted, fulfilled, performance.now() - startedAt))
  }
  return results
}
