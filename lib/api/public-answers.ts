import { getDocument } from './document.ts'
import { ApiProblem, problemType } from './problem.ts'
import { type ProblemKind, problemKinds } from './problem-kinds.ts'

function isKind(text: string): text is ProblemKind {
  return Object.hasOwn(problemKinds, text)
}

function findPublic(path: string): unknown {
  if (path === '/openapi.json') return getDocument()
  const kind = /^\/problems\/([a-z-]+)$/.exec(path)?.[1]
  return kind !== undefined && isKind(kind) ? { type: problemType(kind), ...problemKinds[kind] } : undefined
}

/**
 * What needs no token: the API's document, and what its problems mean. They are the same at every Provider.
 *
 * @returns undefined for everything else
 */
export function servePublic(method: string, path: string): Response | undefined {
  const document = findPublic(path)
  if (document === undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD')
    throw new ApiProblem('method-not-allowed', {}, { Allow: 'GET, HEAD' })
  return Response.json(document, { headers: { 'Cache-Control': 'public, max-age=300' } })
}
