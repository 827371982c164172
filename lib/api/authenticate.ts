import { findTokenCaller, type TokenCaller } from '#lib/access/find-api-token.ts'
import { newLimiter, takeFrom } from '#lib/access/limiter.ts'
import { processState } from '#lib/platform/process-state.ts'
import { ApiProblem } from './problem.ts'

/** Requests that one token may make in a minute. */
export const REQUESTS_PER_MINUTE = 600

/** Where `server.ts` puts who calls; what a caller sends there does not count. */
const ADDRESS_HEADER = 'x-client-address'

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
 * @throws ApiProblem: 401 without a hint why; 429
 */
export async function authenticate(request: Request): Promise<TokenCaller> {
  const address = request.headers.get(ADDRESS_HEADER) ?? undefined
  const caller = await findTokenCaller(readToken(request), address)
  if (!caller) throw new ApiProblem('unauthorized', {}, { 'WWW-Authenticate': 'Bearer' })
  const wait = await takeFrom(apiLimiter(), caller.tokenId)
  if (wait === 0) return caller
  throw new ApiProblem('too-many-requests', {}, { 'Retry-After': String(Math.ceil(wait / 1_000)) })
}
