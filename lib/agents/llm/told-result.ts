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
  const text = JSON.stringify(answer ?? null)
  const hasToken = token !== undefined && text.includes(token)
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes && !hasToken) return answer ?? null
  const withoutToken = token === undefined ? text : text.replaceAll(token, '')
  if (bytes <= maxBytes) return JSON.parse(withoutToken)
  const cut = new TextDecoder().decode(Buffer.from(withoutToken).subarray(0, maxBytes)).replace(/\uFFFD$/, '')
  return { beginning: cut, note: 'The answer was too long: this is the beginning of its JSON.' }
}

function describeFailure(failure: ToolFailure): string {
  if (isOutcomeUnknown(failure)) return 'The call failed, and it is not known whether it did its work.'
  return failure.sent
    ? 'The call was refused: nothing was done.'
    : `The call was not made: ${failure.reason}.`
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
