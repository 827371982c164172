import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { noUsage } from '../agent.ts'
import type { ToolArguments } from './argument-schema.ts'
import { type ApiCall, brandApi, type CalledApi } from './call-api.ts'
import { type CallContext, callTool } from './call-tool.ts'
import type { ToolSettings } from './schema.ts'
import { buildTool, type Tool } from './tool.ts'

/** A request as it would go out. What proves somebody in it is not shown. */
export type ShownRequest = Pick<ApiCall, 'method' | 'url' | 'body'> & { headers: Record<string, string> }

const NO_TOKEN = 'who the User is, a delegation token alone says, and none is given'

/** Stands for the User's id in a request that is only shown, where no token says it. */
export const MADE_UP_USER = 'a-user'

export type TriedTool =
  /** Why it can't be called so. */
  | { request: undefined; fault: string }
  | {
      request: ShownRequest
      /** Whether {@link MADE_UP_USER} stands in it for the User. */
      madeUpUser: boolean
      /** Undefined: it was not sent. `time`: in milliseconds. */
      answer: { called: CalledApi; time: number } | undefined
    }

export type ToolTrial = {
  brandId: string
  allowPrivate: boolean
  /** Somebody else's delegation token: for the tool's own address alone. */
  token: string | undefined
  /** Whether the Brand's API is to be called. */
  send: boolean
}

/** The User of a token that somebody brought. It proves nothing here: the Brand's API looks at it. */
function subjectOf(token: string): string {
  try {
    return decodeJwt(token).sub ?? ''
  } catch {
    return ''
  }
}

/** Somebody made up is shown, but never sent to the Brand's API. */
function toAccess({ userArgument }: Tool, { token, send }: ToolTrial): CallContext['access'] {
  if (token !== undefined) return { brandUserId: subjectOf(token), token }
  return userArgument === undefined || send ? undefined : { brandUserId: MADE_UP_USER, token: '' }
}

function show({ method, url, body, headers }: ApiCall, header: string | undefined): ShownRequest {
  const { authorization, ...others } = headers
  return {
    method,
    url,
    body,
    headers: {
      ...others,
      ...(authorization === undefined ? {} : { authorization: 'Bearer …' }),
      ...(header === undefined ? {} : { [header]: '…' }),
    },
  }
}

/**
 * Makes one call of a tool for somebody who edits it: by the very code that makes an agent's calls. Without `send` nothing
 * leaves this process.
 *
 * @param settings valid under `toolSchema`
 */
export async function tryTool(
  settings: ToolSettings,
  values: ToolArguments,
  trial: ToolTrial,
): Promise<TriedTool> {
  const { brandId, allowPrivate, token, send } = trial
  const tool = buildTool(settings, { allowPrivate })
  const access = toAccess(tool, trial)
  if (tool.userArgument !== undefined && !access) return { request: undefined, fault: NO_TOKEN }
  const madeUpUser = access !== undefined && token === undefined
  const api = brandApi(brandId)
  let tried: Extract<TriedTool, { request: ShownRequest }> | undefined
  const result = await callTool(tool, values, {
    brandId,
    access,
    idempotencyKey: randomUUID(),
    signal: AbortSignal.timeout(tool.timeLimit),
    until: performance.now() + tool.timeLimit,
    sent: new Set(),
    usage: noUsage(),
    callApi: async (_tool, call) => {
      const request = show(call, tool.header)
      tried = { request, madeUpUser, answer: undefined }
      if (!send) return { ok: true, status: 204, value: undefined }
      const startedAt = performance.now()
      const called = await api(tool, call)
      tried = { request, madeUpUser, answer: { called, time: performance.now() - startedAt } }
      return called
    },
  })
  if (tried) return tried
  return { request: undefined, fault: result.ok ? 'it made no call' : result.failure.reason }
}
