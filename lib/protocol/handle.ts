import { findBrand, isBrandId } from '#lib/brands/registry.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { takeFromBuckets } from '#lib/identity/rate-limits.ts'
import { countRefusal } from '#lib/identity/refusals.ts'
import { getProvider } from '#lib/identity/registry.ts'
import { authenticate } from '#lib/identity/verify-pa-token.ts'
import { internalError } from './a2a-errors.ts'
import { serveAgentCard } from './agent-card.ts'
import {
  a2aError,
  emptyResponse,
  methodNotAllowed,
  notFound,
  tooManyRequests,
  unauthorized,
  unsupportedOperation,
} from './answers.ts'
import { answerClientCall } from './oauth/client-call.ts'
import { serveJwks } from './oauth/jwks.ts'
import { serveMetadata } from './oauth/metadata.ts'
import { oauthError } from './oauth/oauth-errors.ts'
import { answerPreflight } from './public-document.ts'
import { closeRecord, openRecord, type RequestRecord } from './request-record.ts'
import { isOAuth, matchRoute, type Operation } from './routes.ts'
import { sendMessage } from './send-message.ts'
import { streamMessage } from './stream-message.ts'
import { answerSubscription, answerTask, listTasks } from './tasks.ts'

/**
 * PACT on the wire: every request below `/a2a/`, and at RFC 8414's own place, from either door. It answers whatever comes,
 * and never rejects. The order is the specification's: routing, authentication (§2.2, §3.4), limits (§6), the Brand, the
 * operation.
 */
export async function handle(request: Request): Promise<Response> {
  const record = openRecord()
  let response: Response
  try {
    response = identifiable(await route(request, record), record)
  } catch (failure) {
    record.failure = failure
    const answer = isOAuth(record.operation) ? oauthError('server_error') : a2aError(internalError)
    response = identifiable(answer, record)
  }
  const close = () => closeRecord(record, request.method, response.status)
  if (record.turn) void record.turn.then(close)
  else close()
  // RFC 9110 §9.3.2: the same fields as GET, without the content.
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** With the id under which the log knows the request. It is also the moment at which every field of an answer is checked. */
function identifiable(response: Response, { requestId }: RequestRecord): Response {
  response.headers.set('X-Request-Id', requestId)
  return response
}

async function route(request: Request, record: RequestRecord): Promise<Response> {
  const url = new URL(request.url)
  const match = matchRoute(request.method, url.pathname)
  switch (match.kind) {
    case 'not-found':
      return notFound()
    case 'method-not-allowed':
      return methodNotAllowed(match.allow)
    case 'options':
      if (match.open) return answerPreflight(match.allow)
      return emptyResponse(204, { Allow: match.allow.join(', ') })
    case 'operation':
      record.operation = match.operation.name
      return (
        (await servePublic(request, match.brandId, match.operation)) ??
        serveOperation(request, url, match.brandId, match.operation, record)
      )
  }
}

/** What everyone may read (§2.1, RFC 8414 §3). */
async function servePublic(
  request: Request,
  brandId: string,
  { name }: Operation,
): Promise<Response | undefined> {
  if (name === 'agentCard') return serveAgentCard(request, brandId)
  if (name === 'oauthMetadata') return serveMetadata(request, brandId)
  if (name === 'jwks') return serveJwks(request, brandId)
  return undefined
}

async function serveOperation(
  request: Request,
  url: URL,
  brandId: string,
  operation: Operation,
  record: RequestRecord,
): Promise<Response> {
  const identified = await identify(request, brandId, record)
  if (identified instanceof Response) return identified
  const brand = await findBrand(brandId)
  if (!brand) return notFound()
  record.brandId = brand.id
  switch (operation.name) {
    case 'sendMessage':
      return sendMessage(request, identified, brand, record)
    case 'streamMessage':
      return streamMessage(request, identified, brand, record)
    case 'listTasks':
      return listTasks(url.searchParams)
    case 'getTask':
    case 'cancelTask':
      return answerTask(operation.taskId)
    case 'subscribeToTask':
      return answerSubscription(operation.taskId, brand)
    case 'deviceAuthorization':
    case 'token':
    case 'revocation':
      return answerClientCall(operation.name, request, { caller: identified, brand, record })
    case 'pushNotifications':
      return a2aError({
        reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
        message: 'Push notifications are not supported',
      })
    default:
      return unsupportedOperation()
  }
}

/** §3: who calls, and whether they may call again so soon (§6). */
async function identify(request: Request, called: string, record: RequestRecord): Promise<Caller | Response> {
  const result = await authenticate(request.headers.get('Authorization'))
  const brandId = isBrandId(called) ? called : undefined
  if (!result.ok) {
    record.reason = result.reason
    if (result.personalAgentId !== undefined) record.personalAgentId = result.personalAgentId
    countRefusal({ ...result, brandId })
    return unauthorized()
  }
  const { caller } = result
  record.personalAgentId = caller.personalAgent.id
  const taken = await takeFromBuckets(caller, (await getProvider()).limits)
  if (taken.ok) return caller
  record.reason = 'rate_limited'
  countRefusal({ reason: 'rate_limited', personalAgentId: caller.personalAgent.id, brandId })
  return tooManyRequests(taken.retryAfter)
}
