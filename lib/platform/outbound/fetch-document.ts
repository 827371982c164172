import { guardedRequest, OutboundError, type OutboundFailure, parseJson } from './guarded-request.ts'

export type OutboundLimits = {
  /** The longest body, in bytes. */
  maxBytes: number
  /** For everything from the name look-up to the last byte, in milliseconds. */
  timeout: number
  /** Whether this machine itself may be asked, over plain http too. */
  allowLoopback: boolean
}

export type FetchedJson = { ok: true; value: unknown } | ({ ok: false } & OutboundFailure)

/** Anything but 200 is no document. */
export function only200(status: number): void {
  if (status !== 200) throw new OutboundError('status')
}

/**
 * Fetches a JSON document from a URL that somebody else chose, by the rules of {@link guardedRequest}. The media type is
 * not checked.
 *
 * @param url absolute
 * @returns the parsed document, or why there is none. Never rejects.
 */
export function fetchJson(url: string, limits: OutboundLimits): Promise<FetchedJson> {
  const { maxBytes, timeout, allowLoopback } = limits
  const signal = AbortSignal.timeout(timeout)
  return guardedRequest(
    { url, purpose: 'documents', method: 'GET', headers: {}, signal, maxBytes, allowLoopback },
    only200,
    ({ bytes }) => parseJson(bytes),
  )
}
