import { config } from '#lib/platform/config.ts'
import { fetchJson } from '#lib/platform/outbound/fetch-document.ts'
import type { OutboundFault } from '#lib/platform/outbound/guarded-request.ts'

/** Why no keys are at hand: the host did not deliver, or what it delivered is no JWKS within the limits. */
export type JwksFault = 'jwks_unreachable' | 'jwks_invalid'

export const fetchLimits = {
  /** Milliseconds for one fetch. */
  timeout: 3_000,
  bytes: 64 * 1024,
  keys: 50,
} as const

/** What went wrong in particular: for the log and the console. */
export type JwksDetail = OutboundFault | 'not_a_jwks' | 'too_many_keys'

export type FetchedJwks =
  | { members: unknown[] }
  | { fault: JwksFault; detail: JwksDetail; status: number | undefined }

function faultOf(reason: OutboundFault): JwksFault {
  return reason === 'too_large' || reason === 'not_json' ? 'jwks_invalid' : 'jwks_unreachable'
}

function listMembers(document: unknown): unknown[] | undefined {
  if (typeof document !== 'object' || document === null || !('keys' in document)) return undefined
  return Array.isArray(document.keys) ? document.keys : undefined
}

/** Fetches a JWKS (RFC 7517 §5) through the guarded client. Its members are not looked at. Never rejects. */
export async function fetchJwks(jwksUri: string): Promise<FetchedJwks> {
  const fetched = await fetchJson(jwksUri, {
    maxBytes: fetchLimits.bytes,
    timeout: fetchLimits.timeout,
    allowLoopback: config().allowLoopback,
  })
  if (!fetched.ok) {
    return { fault: faultOf(fetched.reason), detail: fetched.reason, status: fetched.status }
  }
  const members = listMembers(fetched.value)
  if (!members) return { fault: 'jwks_invalid', detail: 'not_a_jwks', status: 200 }
  if (members.length > fetchLimits.keys)
    return { fault: 'jwks_invalid', detail: 'too_many_keys', status: 200 }
  return { members }
}
