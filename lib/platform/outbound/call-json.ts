import { type GuardedRequest, guardedRequest, type OutboundFault, parseJson } from './guarded-request.ts'

/** A call of somebody else's API. */
export type JsonCall = Omit<GuardedRequest, 'purpose' | 'body'> & {
  /** Sent as JSON; left out: no body. */
  body?: unknown
}

export type CalledJson =
  /** Any status but a redirect. `value`: the answer's JSON, undefined where it has no content. */
  { ok: true; status: number; value: unknown } | { ok: false; reason: OutboundFault }

function readAnswer({ status, bytes }: { status: number; bytes: Buffer }) {
  if (bytes.byteLength === 0) return { status, value: undefined }
  if (status >= 200 && status < 300) return { status, value: parseJson(bytes) }
  // What an API says with an error is often a page.
  try {
    return { status, value: parseJson(bytes) }
  } catch {
    return { status, value: undefined }
  }
}

/**
 * Calls an API at a URL that somebody else chose, by the rules of {@link guardedRequest}: nothing is called twice, and an
 * answer that is not JSON counts only where its status is an error.
 *
 * @returns the answer, whatever its status; or why there is none: the call may have been made all the same. Never rejects.
 */
export async function callJson({ body, headers, ...call }: JsonCall): Promise<CalledJson> {
  const content =
    body === undefined
      ? { headers }
      : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const called = await guardedRequest({ ...call, ...content, purpose: 'calls' }, () => {}, readAnswer)
  return called.ok ? { ok: true, ...called.value } : called
}
