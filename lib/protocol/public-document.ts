import { createHash } from 'node:crypto'
import { emptyResponse } from './answers.ts'

/** Anyone may read a public document from a page of another origin. */
const crossOrigin = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }

/** RFC 9110 §13.1.2: `If-None-Match` compares weakly. */
function matchesETag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}

/**
 * Answers with a document that is the same for everyone: a card, metadata, keys. Cacheable, with an `ETag`; 304 for who has
 * it already.
 *
 * @param document.maxAge seconds for which a copy may be used without asking again
 * @param document.version what tells one version from another, where two processes write the same one differently (a
 *   signature has a random part); left out: the body
 */
export function servePublicDocument(
  request: Request,
  document: { body: unknown; contentType: string; maxAge: number; version?: unknown },
): Response {
  const body = JSON.stringify(document.body)
  const version = document.version === undefined ? body : JSON.stringify(document.version)
  const tag = `"${createHash('sha256').update(version).digest('base64url')}"`
  // RFC 9110 §8.8.1: strong only where it stands for these very bytes.
  const etag = document.version === undefined ? tag : `W/${tag}`
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${document.maxAge}`, ...crossOrigin }
  if (matchesETag(request.headers.get('If-None-Match'), tag))
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { 'Content-Type': document.contentType, ...headers } })
}

/** The preflight of a page that reads a public document with headers of its own (Fetch, CORS protocol). */
export function answerPreflight(allow: readonly string[]): Response {
  return emptyResponse(204, {
    Allow: allow.join(', '),
    ...crossOrigin,
    'Access-Control-Allow-Methods': allow.join(', '),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  })
}
