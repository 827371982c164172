/** Every OAuth error that the endpoints answer with, grouped by the document that defines it. */
export type OAuthErrorCode =
  // RFC 6749 §5.2
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  // RFC 8628 §3.5
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  // RFC 6749 §4.1.2.1: the name that OAuth has for a failure of our own.
  | 'server_error'

/** RFC 6749 §5.2: every error is a 400, but for these. */
const statuses: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, server_error: 500 }

/** RFC 6749 §5.1, §5.2: nothing of these answers may be kept. */
const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** A successful answer of an OAuth endpoint (RFC 6749 §5.1, RFC 8628 §3.2). */
export function oauthJson(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers })
}

/**
 * An OAuth error (RFC 6749 §5.2, RFC 8628 §3.5).
 *
 * @param description for the developer, in the characters of RFC 6749 §5.2: ASCII without `"` and `\`
 */
export function oauthError(error: OAuthErrorCode, description?: string): Response {
  const body = description === undefined ? { error } : { error, error_description: description }
  const status = statuses[error] ?? 400
  // RFC 6749 §5.2: the challenge names the scheme that the client used.
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="a2a"' } : undefined
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...challenge } })
}
