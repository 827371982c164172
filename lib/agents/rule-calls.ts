import type { TraceStep, Turn } from './agent.ts'
import { findLostRight } from './lost-right.ts'
import type { Rule } from './scripted-schema.ts'
import { cutText } from './state.ts'
import { compileTemplate, type Render } from './template.ts'
import type { ToolArguments } from './tools/argument-schema.ts'
import { buildIdempotencyKey, callTool, type ToolFailure, type ToolResult } from './tools/call-tool.ts'
import type { Tool } from './tools/tool.ts'

/** The longest argument that a template may render, in UTF-16 units. */
const MAX_ARGUMENT = 32_768

type CompiledCall = {
  tool: Tool
  arguments: [string, Render | number | boolean | null][]
  as: string | undefined
}

/** What a rule calls, and the scopes that it needs: known before it runs (§5.5). */
export type RuleCalls = { calls: readonly CompiledCall[]; scopes: readonly string[] }

/** What came back under each call's `as`, and what stopped the rest. What was sent is in the turn's `sent`. */
export type CallsOutcome = { results: Record<string, unknown>; failure: ToolFailure | undefined }

/**
 * A rule's calls, compiled.
 *
 * @throws when a template does not compile, or a tool is not among `tools`
 */
export function compileCalls(calls: Rule['call'] = [], tools: ReadonlyMap<string, Tool>): RuleCalls {
  const compiled = calls.map((call): CompiledCall => {
    const tool = tools.get(call.tool)
    if (!tool) throw new Error(`There is no tool ${call.tool}`)
    const values = Object.entries(call.arguments ?? {}).map(
      ([name, value]): [string, Render | number | boolean | null] => [
        name,
        typeof value === 'string' ? compileTemplate(value) : value,
      ],
    )
    return { tool, arguments: values, as: call.as }
  })
  return { calls: compiled, scopes: scopesOf(compiled.map(({ tool }) => tool)) }
}

function scopesOf(tools: readonly Tool[]): string[] {
  return [...new Set(tools.flatMap(({ scope }) => (scope === undefined ? [] : [scope])))]
}

/** Undefined where a template reaches its limits: then the call can't be made. */
function renderArguments(call: CompiledCall, variables: Record<string, unknown>): ToolArguments | undefined {
  try {
    return Object.fromEntries(
      call.arguments.map(([name, value]) => [
        name,
        typeof value === 'function' ? cutText(value(variables).trim(), MAX_ARGUMENT) : value,
      ]),
    )
  } catch {
    return undefined
  }
}

function notMade({ name }: Tool, reason: string): ToolFailure {
  return { tool: name, reason, status: undefined, body: undefined, sent: false }
}

const lostRights = {
  'scope-missing': 'its scope was withdrawn',
  'token-ended': 'the delegation token counts no more',
} as const

function describeStep({ name }: Tool, values: ToolArguments, result: ToolResult, time: number): TraceStep {
  const step = { kind: 'tool', tool: name, arguments: values, time } as const
  if (result.ok) return { ...step, answer: result.value }
  return { ...step, answer: result.failure.body, fault: result.failure.reason }
}

/**
 * Makes a rule's calls one after the other; the first that fails ends them, and so does the loss of the right to the next
 * one. That the first may be made is for the caller to see to. A call that the Brand's API may have seen counts as an
 * action, whatever came of it: nothing that may have happened is missing from the receipt (§5.6).
 *
 * @param variables what the arguments' templates see, beside the results of earlier calls
 * @param answeringTime how much of the turn's time is kept for what follows the calls, in milliseconds
 */
export async function runCalls(
  { calls }: RuleCalls,
  turn: Turn,
  variables: Record<string, unknown>,
  answeringTime: number,
): Promise<CallsOutcome> {
  const results: Record<string, unknown> = {}
  const until = turn.endsAt - answeringTime
  for (const [index, call] of calls.entries()) {
    const lost = index > 0 ? await findLostRight(call.tool, turn.access) : undefined
    if (lost) return { results, failure: notMade(call.tool, lostRights[lost]) }
    const values = renderArguments(call, { ...variables, ...results })
    if (!values) return { results, failure: notMade(call.tool, 'an argument could not be rendered') }
    const startedAt = performance.now()
    const result = await callTool(call.tool, values, {
      brandId: turn.brandId,
      access: turn.access,
      callApi: turn.callApi,
      idempotencyKey: buildIdempotencyKey(turn.contextId, turn.messageId, index),
      signal: turn.signal,
      until,
      sent: turn.sent,
      usage: turn.usage,
    })
    turn.trace?.(describeStep(call.tool, values, result, performance.now() - startedAt))
    if (!result.ok) return { results, failure: result.failure }
    if (call.as !== undefined) results[call.as] = result.value
  }
  return { results, failure: undefined }
}
