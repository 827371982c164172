import type { Reach } from '#lib/platform/outbound/address-rules.ts'
import { fetchText } from '#lib/platform/outbound/fetch-document.ts'
import type { OutboundFailure } from '#lib/platform/outbound/guarded-request.ts'
import { findUrlFault } from '#lib/platform/urls.ts'
import { MAX_DOCUMENT_BYTES } from './read-openapi.ts'

/** How long fetching a document may take, in milliseconds. */
const TIME_LIMIT = 10_000
const MEDIA_TYPES = 'application/json, application/yaml, text/yaml;q=0.9, */*;q=0.5'

function describe({ reason, status }: OutboundFailure): string {
  switch (reason) {
    case 'redirect':
      return 'The address leads to another one: give that.'
    case 'status':
      return `The address answers with status ${status}.`
    case 'too_large':
      return 'The document is larger than 2 MiB.'
    case 'timeout':
      return 'The address does not answer in time.'
    case 'address':
      return 'The address is in a private network.'
    default:
      return 'The address can not be reached.'
  }
}

/**
 * Fetches a Brand's OpenAPI document.
 *
 * @param url whatever somebody typed
 * @param reach what may be asked beside the public internet
 * @returns the document's text; or why there is none, in words. Never rejects.
 */
export async function fetchOpenApi(
  url: string,
  reach: Reach,
): Promise<{ ok: true; text: string } | { ok: false; reason: string }> {
  const fault = findUrlFault(url, reach)
  if (fault) return { ok: false, reason: `The address ${fault}.` }
  const limits = { ...reach, maxBytes: MAX_DOCUMENT_BYTES, timeout: TIME_LIMIT }
  const fetched = await fetchText(url, MEDIA_TYPES, limits)
  return fetched.ok ? { ok: true, text: fetched.value } : { ok: false, reason: describe(fetched) }
}
