import type { TokenCaller } from '#lib/access/find-api-token.ts'
import { log } from '#lib/platform/log.ts'
import { authenticate } from './authenticate.ts'
import {
  assertAllowed,
  formatETag,
  readContent,
  readIfMatch,
  readParams,
  readQuery,
} from './check-request.ts'
import { runOnce } from './idempotency.ts'
import type { Operation, Reply } from './operation.ts'
import { operations } from './operations.ts'
import { ApiProblem, buildProblem } from './problem.ts'
import { servePublic } from './public-answers.ts'
import { parseJson, readText } from './read-body.ts'
import { matchRoute } from './routes.ts'
import { toProblem } from './to-problem.ts'

const BASE = '/api/v1'

/**
 * The console's API: every request below `/api/v1`. It answers whatever comes, and never rejects. The order: routing,
 * authentication, limits, permission, what was sent, the operation.
 */
export async function handleApi(request: Request): Promise<Response> {
  const response = await answer(request).catch((error: unknown) => {
    const problem = toProblem(error)
    if (!problem) log().error({ err: error }, 'an API request failed')
    return buildProblem(problem ?? new ApiProblem('internal'))
  })
  // RFC 9110 §9.3.2: the same fields as GET, without the content.
  return request.method === 'HEAD' ? new Response(null, response) : response
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.slice(BASE.length)
  const open = servePublic(request.method, path)
  if (open) return open
  const route = matchRoute(operations(), request.method, path)
  if (route.kind === 'not-found') throw new ApiProblem('not-found')
  if (route.kind === 'method-not-allowed')
    throw new ApiProblem('method-not-allowed', {}, { Allow: route.allow.join(', ') })
  const { operation, params } = route
  const caller = await authenticate(request)
  assertAllowed(operation, caller.viewer, params)
  return serve(operation, request, {
    caller,
    params: readParams(operation, params),
    query: readQuery(operation, url.searchParams),
    version: readIfMatch(operation, request.headers),
  })
}

type Checked = { caller: TokenCaller; params: unknown; query: unknown; version: number }

async function serve(operation: Operation, request: Request, checked: Checked): Promise<Response> {
  if (operation.method === 'GET') return run(operation, { ...checked, body: undefined })
  const text = await readText(request)
  const given = { ...checked, body: readContent(operation, parseJson(text)) }
  if (operation.method !== 'POST' || operation.harmless) return run(operation, given)
  return runOnce(request, text, checked.caller, {
    run: () => run(operation, given),
    changesNothing: (error) => toProblem(error) !== undefined,
  })
}

async function run(operation: Operation, given: Parameters<Operation['run']>[0]): Promise<Response> {
  const reply = await operation.run(given)
  return reply instanceof Response ? reply : buildReply(operation, reply)
}

/** What the schema does not name stays inside. */
function buildReply(
  { answer: schema, status = 200 }: Operation,
  { body, version, location }: Reply<unknown>,
) {
  return new Response(JSON.stringify(schema?.parse(body)), {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(version ? { ETag: formatETag(version) } : {}),
      ...(location ? { Location: `${BASE}${location}` } : {}),
    },
  })
}
