import type { Reach } from './address-rules.ts'
import { guardedRequest, OutboundError, type OutboundFailure, parseJson } from './guarded-request.ts'

export type OutboundLimits = Reach & {
  /** The longest body, in bytes. */
  maxBytes: number
  /** For everything from the name look-up to the last byte, in milliseconds. */
  timeout: number
}

export type FetchedJson = { ok: true; value: unknown } | ({ ok: false } & OutboundFailure)
export type FetchedText = { ok: true; value: string } | ({ ok: false } & OutboundFailure)

/** Anything but 200 is no document. */
export function only200(status: number): void {
  if (status !== 200) throw new OutboundError('status')
}

function fetchDocument<T>(url: string, accept: string, limits: OutboundLimits, read: (bytes: Buffer) => T) {
  const { timeout, ...rest } = limits
  const signal = AbortSignal.timeout(timeout)
  return guardedRequest(
    { ...rest, url, purpose: 'documents', method: 'GET', headers: { accept }, signal },
    only200,
    ({ bytes }) => read(bytes),
  )
}

/**
 * Fetches a JSON document from a URL that somebody else chose, by the rules of {@link guardedRequest}. The media type is
 * not checked.
 *
 * @param url absolute
 * @returns the parsed document, or why there is none. Never rejects.
 */
export function fetchJson(url: string, limits: OutboundLimits): Promise<FetchedJson> {
  return fetchDocument(url, 'application/json', limits, parseJson)
}

/** As {@link fetchJson}, a document of text: what is not UTF-8 in it is replaced. @param accept media types */
export function fetchText(url: string, accept: string, limits: OutboundLimits): Promise<FetchedText> {
  return fetchDocument(url, accept, limits, (bytes) => new TextDecoder().decode(bytes))
}
