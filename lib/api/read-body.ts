import { MAX_BODY_BYTES, readTextBody } from '#lib/protocol/read-body.ts'
import { ApiProblem } from './problem.ts'

function assertJson(request: Request): void {
  const type = request.headers.get('Content-Type')
  if (type !== null && !/^application\/json\s*(;|$)/i.test(type))
    throw new ApiProblem('unsupported-media-type')
}

/**
 * Reads a request's body as text; '' when it has none.
 *
 * @throws ApiProblem
 */
export async function readText(request: Request): Promise<string> {
  const read = await readTextBody(request, MAX_BODY_BYTES)
  if (read.ok) {
    if (read.text !== '') assertJson(request)
    return read.text
  }
  if (read.tooLarge) throw new ApiProblem('too-large')
  throw new ApiProblem('invalid-request', { errors: [{ path: 'body', reason: read.fault }] })
}

/**
 * Reads a body's text as JSON. No body is one without members.
 *
 * @throws ApiProblem
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiProblem('invalid-request', { errors: [{ path: 'body', reason: 'is not JSON' }] })
  }
}
