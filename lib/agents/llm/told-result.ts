import { withoutSecret } from '../secret-text.ts'
import type { ToolFailure, ToolResult } from '../tools/call-tool.ts'
import { isOutcomeUnknown } from '../tools/call-tool.ts'

/** What a model is told of a call, as JSON. */
export type ToldResult = { answer: unknown } | { error: string; status?: number; answer?: unknown }

/** What the answer is bounded by, and cleaned of. */
export type TellingLimits = {
  /** In bytes, of the answer's JSON. */
  maxBytes: number
  /** The delegation token, which is for the Brand's API and not for a model's endpoint. */
  token: string | undefined
}

function clean(answer: unknown, { maxBytes, token }: TellingLimits): unknown {
  const told = (token === undefined ? answer : withoutSecret(answer, token)) ?? null
  const bytes = Buffer.from(JSON.stringify(told))
  if (bytes.length <= maxBytes) return told
  const cut = new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD$/, '')
  return { beginning: cut, note: 'The answer was too long: this is the beginning of its JSON.' }
}

function describeFailure(failure: ToolFailure): string {
  if (isOutcomeUnknown(failure)) return 'The call failed, and it is not known whether it did its work.'
  if (failure.sent) return 'The call was refused: nothing was done.'
  // Why, is about our network and the Brand's settings: it is for the operator.
  return 'The call could not be made: nothing was done.'
}

/** What a model is told of a call that was made, or could not be: data, bounded, and without the delegation token. */
export function tellResult(result: ToolResult, limits: TellingLimits): ToldResult {
  if (result.ok) return { answer: clean(result.value, limits) }
  const { status, body } = result.failure
  return {
    error: describeFailure(result.failure),
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { answer: clean(body, limits) }),
  }
}
