import { findTokenCaller, type TokenCaller } from '#lib/access/find-api-token.ts'
import { newLimiter, takeFrom } from '#lib/access/limiter.ts'
import { clientAddressOf } from '#lib/platform/client-address.ts'
import { processState } from '#lib/platform/process-state.ts'
import { ApiProblem } from './problem.ts'

/** Requests that one token may make in a minute. */
export const REQUESTS_PER_MINUTE = 600

/** Counts each token's requests. */
export function apiLimiter() {
  return processState('api-limits', () =>
    newLimiter({ name: 'api', points: REQUESTS_PER_MINUTE, seconds: 60 }),
  )
}

function readToken(request: Request): string {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? ''
}

/**
 * Who calls, by their API token alone: a session's cookie lets nobody in, so that no other site's page can call in their
 * name.
 *
 * @throws ApiProblem: 401 without a hint why; 429; 403 while a second factor is demanded of the token's owner
 */
export async function authenticate(request: Request): Promise<TokenCaller> {
  const caller = await findTokenCaller(readToken(request), clientAddressOf(request.headers))
  if (!caller) throw new ApiProblem('unauthorized', {}, { 'WWW-Authenticate': 'Bearer' })
  const wait = await takeFrom(apiLimiter(), caller.tokenId)
  if (wait > 0)
    throw new ApiProblem('too-many-requests', {}, { 'Retry-After': String(Math.ceil(wait / 1_000)) })
  if (caller.owesSecondFactor) throw new ApiProblem('second-factor-required')
  return caller
}
