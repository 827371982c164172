import { isStorable } from '#lib/platform/text.ts'
import { MAX_BODY_BYTES, readTextBody } from '#lib/protocol/read-body.ts'
import type { Finding, Path } from '#lib/provisioning/fault.ts'
import { ApiProblem, errorsOf } from './problem.ts'

/** How deep lists and maps may lie in each other: what walks through them later must come to an end. */
const DEEPEST = 40

/** What JSON lets through and no database can hold. */
function findUnstorable(value: unknown, path: Path, findings: Finding[]): void {
  if (path.length > DEEPEST) {
    findings.push({ path: path.slice(0, 3), reason: `is nested deeper than ${DEEPEST} levels` })
    return
  }
  if (typeof value === 'string' && !isStorable(value))
    findings.push({ path, reason: 'must be well-formed text without U+0000' })
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === '__proto__' || !isStorable(key))
      findings.push({ path, reason: 'has a key that is no usable name' })
    findUnstorable(inner, place, findings)
  }
}

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
 * Reads a body's text as JSON that can be stored. No body is one without members.
 *
 * @throws ApiProblem
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiProblem('invalid-request', { errors: [{ path: 'body', reason: 'is not JSON' }] })
  }
  const findings: Finding[] = []
  findUnstorable(value, [], findings)
  if (findings.length > 0)
    throw new ApiProblem('invalid-content', { errors: errorsOf(findings.slice(0, 20)) })
  return value
}
