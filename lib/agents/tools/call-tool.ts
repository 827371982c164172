import { createHash } from 'node:crypto'
import { config } from '#lib/platform/config.ts'
import { callJson, type JsonCall } from '#lib/platform/outbound/call-json.ts'
import type { ToolSettings } from '../schema.ts'
import { type ArgumentCheck, buildArgumentCheck, type ToolArguments } from './argument-schema.ts'
import { parseUrlTemplate, type UrlTemplate } from './url-template.ts'

/** The longest answer of a Brand's API, in bytes. */
const MAX_ANSWER_BYTES = 256 * 1024

/** A tool, ready to be called. */
export type Tool = {
  name: string
  /** Undefined: it needs none, and works under §3. */
  scope: string | undefined
  method: ToolSettings['request']['method']
  url: UrlTemplate
  checkArguments: ArgumentCheck
}

/** Why a call gave no result. */
export type ToolFailure = {
  tool: string
  /** For the log. */
  reason: string
  /** Of the API's answer, 400 to 599; undefined where none came. */
  status: number | undefined
  /** The answer's JSON, if it had some. */
  body: unknown
  /** Whether the API may have seen the call. */
  sent: boolean
}

export type ToolResult = { ok: true; value: unknown } | { ok: false; failure: ToolFailure }

/** Who calls, and what makes the call this one. */
export type CallContext = {
  /** The delegation token; undefined in a turn under §3. */
  token: string | undefined
  idempotencyKey: string
  /** Fires when the turn's time is over. */
  signal: AbortSignal
}

/**
 * A tool from its settings.
 *
 * @param settings valid under `toolSchema`
 */
export function buildTool({ name, scope, arguments: schema, request }: ToolSettings): Tool {
  const parsed = parseUrlTemplate(request.url)
  if (!parsed.ok) throw new Error(`The URL of the tool ${name} ${parsed.reason}`)
  return {
    name,
    scope,
    method: request.method,
    url: parsed.template,
    checkArguments: buildArgumentCheck(schema),
  }
}

/**
 * The `Idempotency-Key` of a turn's call: the same whenever the same turn makes the same call, and no other's.
 *
 * @param index counts the turn's calls from 0
 */
export function buildIdempotencyKey(contextId: string, messageId: string, index: number): string {
  return createHash('sha256')
    .update(JSON.stringify([contextId, messageId, index]))
    .digest('base64url')
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function addQuery(url: string, rest: [string, unknown][]): string {
  const query = new URLSearchParams(rest.map(([name, value]) => [name, toText(value)])).toString()
  if (query === '') return url
  return url + (url.includes('?') ? '&' : '?') + query
}

/** Where the arguments go: into the URL's variables; the rest into the query, or the JSON body where there is one. */
function buildRequest(tool: Tool, values: ToolArguments): Pick<JsonCall, 'url' | 'body'> | undefined {
  const url = tool.url.expand(new Map(tool.url.variables.map((name) => [name, toText(values[name])])))
  if (url === undefined) return undefined
  const rest = Object.entries(values).filter(([name]) => !tool.url.variables.includes(name))
  if (tool.method === 'GET' || tool.method === 'DELETE') return { url: addQuery(url, rest) }
  return { url, body: Object.fromEntries(rest) }
}

/**
 * Calls a tool once: one HTTP call to the Brand's API, through the guarded client.
 *
 * @param values may be changed: numbers that came as text become numbers where the schema asks for them
 * @returns the JSON that the API answered with a status from 200 to 299; or why there is none. Never rejects.
 */
export async function callTool(tool: Tool, values: ToolArguments, context: CallContext): Promise<ToolResult> {
  const fail = (reason: string, failure: Partial<ToolFailure> = {}): ToolResult => ({
    ok: false,
    failure: { tool: tool.name, reason, status: undefined, body: undefined, sent: true, ...failure },
  })
  const fault = tool.checkArguments(values)
  if (fault) return fail(fault, { sent: false })
  const request = buildRequest(tool, values)
  if (!request) return fail('an argument would lead to another URL', { sent: false })
  const called = await callJson({
    ...request,
    method: tool.method,
    headers: {
      'idempotency-key': context.idempotencyKey,
      ...(context.token === undefined ? {} : { authorization: `Bearer ${context.token}` }),
    },
    signal: context.signal,
    maxBytes: MAX_ANSWER_BYTES,
    allowLoopback: config().allowLoopback,
  })
  if (!called.ok) return fail(called.reason)
  const { status, value } = called
  if (status >= 200 && status < 300) return { ok: true, value }
  return fail(`status ${status}`, { status, body: value })
}
