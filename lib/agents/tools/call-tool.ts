import { createHash } from 'node:crypto'
import { withinTime } from '#lib/platform/within-time.ts'
import type { Access, SentCall, SentCalls, TurnUsage } from '../agent.ts'
import type { ToolArguments } from './argument-schema.ts'
import { hashArguments } from './arguments-hash.ts'
import { type ApiCall, type ApiCaller, brandApi } from './call-api.ts'
import type { Tool } from './tool.ts'

/** Why a call gave no result. */
export type ToolFailure = {
  tool: string
  /** For the log. */
  reason: string
  /** Of the API's answer; undefined where none came. */
  status: number | undefined
  /** The answer's JSON, if it had some. */
  body: unknown
  /** Whether the API may have seen the call. */
  sent: boolean
}

export type ToolResult = { ok: true; value: unknown } | { ok: false; failure: ToolFailure }

/** Who calls, and what makes the call this one. */
export type CallContext = {
  brandId: string
  /** As whom a tool with a scope is called; undefined in a turn under §3. */
  access: Pick<Access, 'brandUserId' | 'token'> | undefined
  idempotencyKey: string
  /** Fires when the turn's time is over. */
  signal: AbortSignal
  /** When the call must be over, by `performance.now()`. */
  until: number
  /** The call is in it from before it goes out, unless it certainly reached nobody. */
  sent: SentCalls
  /** Where the call is counted, with its time. */
  usage: Pick<TurnUsage, 'toolCalls' | 'failedToolCalls' | 'toolTime'>
  /** What answers the call; left out: the Brand's API. */
  callApi?: ApiCaller | undefined
}

/**
 * Whether the API may have done what it was asked, or not: no answer came, or one that does not say. A status from 400 to
 * 499 says that nothing was done.
 */
export function isOutcomeUnknown({ sent, status }: ToolFailure): boolean {
  return sent && (status === undefined || status >= 500 || (status >= 300 && status < 400))
}

/**
 * The `Idempotency-Key` of a turn's call: the same whenever the same turn makes the same call, and no other's.
 *
 * @param call what tells the call from the turn's others, such as its number
 */
export function buildIdempotencyKey(
  contextId: string,
  messageId: string,
  ...call: readonly (string | number)[]
): string {
  return createHash('sha256')
    .update(JSON.stringify([contextId, messageId, ...call]))
    .digest('base64url')
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A list is written as OpenAPI does by default: its name before each of its entries. */
function toPairs([name, value]: [string, unknown]): [string, string][] {
  return Array.isArray(value) ? value.map((entry) => [name, toText(entry)]) : [[name, toText(value)]]
}

function addQuery(url: string, rest: [string, unknown][]): string {
  const query = new URLSearchParams(rest.flatMap(toPairs)).toString()
  if (query === '') return url
  return url + (url.includes('?') ? '&' : '?') + query
}

/**
 * Where the arguments go: into the URL's variables; the rest into the query, or, where there is a JSON body, into that all
 * but those that the tool names.
 */
function buildRequest(tool: Tool, values: ToolArguments): Pick<ApiCall, 'url' | 'body'> | undefined {
  const url = tool.url.expand(new Map(tool.url.variables.map((name) => [name, toText(values[name])])))
  if (url === undefined) return undefined
  const rest = Object.entries(values).filter(([name]) => !tool.url.variables.includes(name))
  if (tool.method === 'GET' || tool.method === 'DELETE') return { url: addQuery(url, rest) }
  const inQuery = rest.filter(([name]) => tool.query.has(name))
  const inBody = rest.filter(([name]) => !tool.query.has(name))
  return { url: addQuery(url, inQuery), body: Object.fromEntries(inBody) }
}

function describeCall({ name, scope, changes }: Tool, values: ToolArguments): SentCall {
  const action = Object.keys(values).length === 0 ? {} : { argsHash: hashArguments(values) }
  return { action: { tool: name, ...action }, scopes: scope === undefined ? [] : [scope], changes }
}

/** A call that can be made: what goes out, and what is told of it. */
export type PreparedCall = {
  request: Pick<ApiCall, 'url' | 'body'>
  call: SentCall
  arguments: ToolArguments
}

type Prepared = ({ ok: true } & PreparedCall) | { ok: false; fault: string }

/** Who the User is, the token says alone: whatever was given in its place counts for nothing. */
function nameUser(
  { userArgument }: Tool,
  given: ToolArguments,
  access: CallContext['access'],
): ToolArguments {
  if (userArgument === undefined) return given
  const { [userArgument]: _given, ...others } = given
  return access ? { ...others, [userArgument]: access.brandUserId } : others
}

/** All that can go wrong with a call before it is made. `fault`: reads on from the tool's name. */
export function prepareCall(tool: Tool, given: ToolArguments, access: CallContext['access']): Prepared {
  const checked = tool.checkArguments(nameUser(tool, given, access))
  if (!checked.ok) return checked
  const request = buildRequest(tool, checked.values)
  if (!request) return { ok: false, fault: 'an argument would lead to another URL' }
  try {
    return { ok: true, request, call: describeCall(tool, checked.values), arguments: checked.values }
  } catch {
    return { ok: false, fault: 'the arguments have no canonical form' }
  }
}

/** Where a tool without a scope points, nobody has allowed anything: the User's token is not for it. */
function authorization({ scope }: Tool, access: CallContext['access']): Record<string, string> {
  return scope === undefined || !access ? {} : { authorization: `Bearer ${access.token}` }
}

/**
 * Calls a tool, within its time limit: one call of the Brand's API, however often it had to be sent.
 *
 * @param values as its rule has them: numbers that came as text become numbers where the schema asks for them
 * @returns the JSON that the API answered with a status from 200 to 299, undefined where it answered none; or why the call
 * failed. Never rejects.
 */
export async function callTool(tool: Tool, values: ToolArguments, context: CallContext): Promise<ToolResult> {
  const prepared = prepareCall(tool, values, context.access)
  return prepared.ok ? sendCall(tool, prepared, context) : failed(tool, prepared.fault)
}

function failed({ name }: Tool, reason: string, failure: Partial<ToolFailure> = {}): ToolResult {
  const nothing = { status: undefined, body: undefined, sent: false }
  return { ok: false, failure: { tool: name, reason, ...nothing, ...failure } }
}

/** As {@link callTool}, of a call that was prepared. */
export async function sendCall(
  tool: Tool,
  prepared: PreparedCall,
  context: CallContext,
): Promise<ToolResult> {
  const startedAt = performance.now()
  const timeLeft = Math.floor(Math.min(tool.timeLimit, context.until - startedAt))
  if (timeLeft <= 0) return failed(tool, 'timeout')
  const { usage } = context
  usage.toolCalls += 1
  const result = await askApi(tool, prepared, context, timeLeft)
  usage.toolTime += performance.now() - startedAt
  if (!result.ok) usage.failedToolCalls += 1
  return result
}

async function askApi(
  tool: Tool,
  { request, call, arguments: values }: PreparedCall,
  context: CallContext,
  timeLeft: number,
): Promise<ToolResult> {
  context.sent.add(call)
  const callApi = context.callApi ?? brandApi(context.brandId)
  const headers = { 'idempotency-key': context.idempotencyKey, ...authorization(tool, context.access) }
  const called = await withinTime(timeLeft, context.signal, (signal) =>
    callApi(tool, { ...request, arguments: values, method: tool.method, headers, signal }),
  )
  if (!called.ok) {
    if (!called.sent) context.sent.delete(call)
    return failed(tool, called.reason, { status: called.status, sent: called.sent })
  }
  const { status, value } = called
  if (status >= 200 && status < 300) return { ok: true, value }
  return failed(tool, `status ${status}`, { status, body: value, sent: true })
}
