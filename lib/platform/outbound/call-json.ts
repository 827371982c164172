import { type GuardedRequest, guardedRequest, type OutboundFailure, parseJson } from './guarded-request.ts'

/** A call of somebody else's API. */
export type JsonCall = Omit<GuardedRequest, 'purpose' | 'body'> & {
  /** Sent as JSON; left out: no body. */
  body?: unknown
}

export type CalledJson =
  /** Any status but a redirect. `value`: the answer's JSON, undefined where it has none. */
  { ok: true; status: number; value: unknown } | ({ ok: false } & OutboundFailure)

/** What an API says is not always JSON, and with an error it is often a page. */
function readAnswer({ status, bytes }: { status: number; bytes: Buffer }) {
  try {
    return { status, value: parseJson(bytes) }
  } catch {
    return { status, value: undefined }
  }
}

/** Whether an API that began to answer so did what it was asked, though nothing more can be read of it. */
function hasSucceeded({ reason, status = 0 }: OutboundFailure, method: JsonCall['method']): boolean {
  if (status < 200 || status > 299) return false
  // Where the answer is all that was asked for, half of one is none.
  return reason === 'encoding' || method !== 'GET'
}

/**
 * Calls an API at a URL that somebody else chose, by the rules of {@link guardedRequest}: nothing is called twice. What was
 * done is known by the status alone: a status from 200 to 299 counts whatever follows it, unless a GET is cut short.
 *
 * @returns the answer, whatever its status; or why there is none: the call may have been made all the same. Never rejects.
 */
export async function callJson({ body, headers, ...call }: JsonCall): Promise<CalledJson> {
  const content =
    body === undefined
      ? { headers }
      : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const called = await guardedRequest({ ...call, ...content, purpose: 'calls' }, () => {}, readAnswer)
  if (called.ok) return { ok: true, ...called.value }
  const { status } = called
  return status !== undefined && hasSucceeded(called, call.method)
    ? { ok: true, status, value: undefined }
    : called
}
