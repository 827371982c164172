import { config } from '#lib/platform/config.ts'
import { type CalledJson, callJson, type JsonCall } from '#lib/platform/outbound/call-json.ts'
import type { OutboundFailure } from '#lib/platform/outbound/guarded-request.ts'
import { toolHeaderSecret } from '../agent-secrets.ts'
import { withoutSecret } from '../secret-text.ts'
import { findAgentSecret } from '../stored-secrets.ts'
import type { ToolArguments } from './argument-schema.ts'
import type { Tool } from './tool.ts'

/** The longest answer of a Brand's API, in bytes. */
const MAX_ANSWER_BYTES = 256 * 1024

/** A tool's call, ready to be sent. */
export type ApiCall = Pick<JsonCall, 'method' | 'url' | 'body' | 'headers' | 'signal'> & {
  /** What the rest was made of. */
  arguments: ToolArguments
}

/** What came of a call. */
export type CalledApi =
  | Extract<CalledJson, { ok: true }>
  /** `reason`: for the log. */
  | ({ ok: false; reason: string } & Pick<OutboundFailure, 'status' | 'sent'>)

/** What answers a tool's calls: the Brand's API, or whatever stands in for it where somebody tries an agent. */
export type ApiCaller = (tool: Tool, call: ApiCall) => Promise<CalledApi>

/**
 * Whether a call may be made again: it changes nothing, and its connection broke before any answer came, as one does that
 * the Brand's API has just closed.
 */
function mayRepeat({ changes }: Tool, called: CalledJson): boolean {
  return !changes && !called.ok && called.reason === 'unreachable' && called.status === undefined
}

async function callTwice(tool: Tool, call: JsonCall): Promise<CalledJson> {
  const called = await callJson(call)
  if (!mayRepeat(tool, called) || call.signal.aborted) return called
  const repeated = await callJson(call)
  if (called.ok || repeated.ok) return repeated
  return { ...repeated, sent: called.sent || repeated.sent }
}

/** The tool's own header, with its value. @throws where it has none that it may show there */
async function ownHeader(
  { name, header }: Tool,
  brandId: string,
  url: string,
): Promise<Record<string, string>> {
  if (header === undefined) return {}
  const value = await findAgentSecret(brandId, toolHeaderSecret(name), url)
  if (value === undefined) throw new Error(`The header ${header} has no value for this address`)
  return { [header]: value }
}

/** The answer without the value that the tool has shown: what an API says goes to a model, and to Users. */
function cleaned(called: CalledJson, secrets: readonly string[]): CalledJson {
  if (!called.ok) return called
  return { ...called, value: secrets.reduce<unknown>(withoutSecret, called.value) }
}

/**
 * The API of a Brand, through the guarded client: https, no private address unless the Brand's tools may reach them, no
 * redirects, at most {@link MAX_ANSWER_BYTES}. Where it can do no harm a call is made a second time if the first had no
 * answer: with the same idempotency key, and within the same time.
 *
 * @returns calls that never reject; one whose header has no value is not sent, and no answer tells that value
 */
export function brandApi(brandId: string): ApiCaller {
  return async (tool, { arguments: _arguments, ...call }) => {
    let header: Record<string, string>
    try {
      header = await ownHeader(tool, brandId, call.url)
    } catch {
      return { ok: false, reason: 'credential', status: undefined, sent: false }
    }
    const called = await callTwice(tool, {
      ...call,
      headers: { ...call.headers, ...header },
      maxBytes: MAX_ANSWER_BYTES,
      allowLoopback: config().allowLoopback,
      allowPrivate: tool.allowPrivate,
    })
    return cleaned(called, Object.values(header))
  }
}
