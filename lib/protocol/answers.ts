import { type A2AError, buildErrorEnvelope } from './a2a-errors.ts'

/** §2: the media type of every A2A response. */
export const A2A_JSON = 'application/a2a+json'

/** §3.4: the challenge of every authentication failure, the same for each. */
const CHALLENGE = 'Bearer realm="a2a"'

/** An A2A response (§2). */
export function a2aJson(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': A2A_JSON, 'Cache-Control': 'no-store' },
  })
}

/** An A2A error in its envelope (§6). */
export function a2aError(error: A2AError): Response {
  const { http, body } = buildErrorEnvelope(error)
  return a2aJson(body, http)
}

/** What the Brand's card does not offer, once the caller is known (A2A 1.0). */
export function unsupportedOperation(): Response {
  return a2aError({ reason: 'UNSUPPORTED_OPERATION', message: 'This operation is not supported' })
}

/** A response without a body. */
export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

/** §3.4: the one 401. It never says why. */
export function unauthorized(): Response {
  return emptyResponse(401, { 'WWW-Authenticate': CHALLENGE })
}

/** §5.5: the other 401, of a delegation token. It never says why either. */
export function badDelegationToken(): Response {
  return emptyResponse(401, { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` })
}

/** §6: 429. @param seconds whole seconds until the next request is welcome */
export function tooManyRequests(seconds: number): Response {
  return emptyResponse(429, { 'Retry-After': String(seconds) })
}

/** §2.1, §2.2: no such route, or no such Brand. */
export function notFound(): Response {
  return emptyResponse(404)
}

/** §2.2: the route exists, but not with this method. RFC 9110 §15.5.6 asks for `Allow`. */
export function methodNotAllowed(allow: readonly string[]): Response {
  return emptyResponse(405, { Allow: allow.join(', ') })
}
