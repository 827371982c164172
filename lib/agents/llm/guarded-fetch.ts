import { setTimeout as pause } from 'node:timers/promises'
import { config } from '#lib/platform/config.ts'
import {
  type GuardedRequest,
  guardedRequest,
  OutboundError,
  type OutboundFailure,
} from '#lib/platform/outbound/guarded-request.ts'
import { ModelFailure } from './model-failure.ts'

/** The longest answer of a model's endpoint, in bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** Before the one repetition of a request, in milliseconds. */
const PAUSE = 500

/** What an endpoint that is busy or out of order answers: another moment may be better. */
const passing = new Set([429, 500, 502, 503, 504])

function onlySuccess(status: number): void {
  if (status < 200 || status > 299) throw new OutboundError('status')
}

/** A connection that was kept open may be gone when it is used again, and what was sent on it with it. */
function mayPass({ reason, status, sent }: OutboundFailure): boolean {
  return status === undefined ? !sent || reason === 'unreachable' : passing.has(status)
}

async function ask(request: GuardedRequest) {
  const answered = await guardedRequest(request, onlySuccess, ({ bytes }) => bytes)
  if (answered.ok || !mayPass(answered) || request.signal.aborted) return answered
  await pause(PAUSE, undefined, { signal: request.signal }).catch(() => {})
  return guardedRequest(request, onlySuccess, ({ bytes }) => bytes)
}

/**
 * `fetch` for a model's endpoint, by the rules of {@link guardedRequest}; a request that nobody answered, or one that met a
 * busy endpoint, is made once more: asking a model changes nothing.
 *
 * @throws ModelFailure for whatever is not an answer with a status from 200 to 299
 */
export async function guardedFetch(input: URL | RequestInfo, init: RequestInit = {}): Promise<Response> {
  const answered = await ask({
    url: String(input),
    purpose: 'models',
    method: 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: String(init.body),
    signal: init.signal ?? AbortSignal.timeout(120_000),
    maxBytes: MAX_ANSWER_BYTES,
    allowLoopback: config().allowLoopback,
  })
  if (answered.ok) {
    return new Response(new Uint8Array(answered.value), { headers: { 'content-type': 'application/json' } })
  }
  const { reason, status } = answered
  throw new ModelFailure(`The model's endpoint: ${reason === 'status' ? `status ${status}` : reason}`)
}
