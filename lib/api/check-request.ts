import { isDeepStrictEqual } from 'node:util'
import { ForbiddenError, may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import type { Operation } from './operation.ts'
import { ApiProblem, errorsOf } from './problem.ts'

/**
 * Whether the caller may do this at all: 403 where they lack the permission as such, 404 at a Brand that is not theirs.
 *
 * @throws ApiProblem, ForbiddenError
 */
export function assertAllowed(
  { permission, at }: Operation,
  viewer: Viewer,
  { brandId }: Record<string, string>,
): void {
  const allowed = at === 'provider' ? may(viewer, permission) : mayAnywhere(viewer, permission)
  if (!allowed) throw new ApiProblem('forbidden', { permission })
  if (at === 'brand' && !may(viewer, permission, brandId)) throw new ForbiddenError('not their Brand')
}

/** The path's variables. One that can be nothing's name is answered like one that is nothing's. @throws ForbiddenError */
export function readParams({ params: schema }: Operation, params: Record<string, string>): unknown {
  const checked = schema && checkSchema(schema, params)
  if (checked?.ok === false) throw new ForbiddenError('no such thing')
  return checked?.value ?? {}
}

/** The query. What it does not know, or gets twice, is refused. @throws ApiProblem */
export function readQuery({ query: schema }: Operation, search: URLSearchParams): unknown {
  const errors = [...new Set(search.keys())].flatMap((name) => {
    if (!Object.hasOwn(schema?.shape ?? {}, name)) return [{ path: name, reason: 'is not known here' }]
    return search.getAll(name).length > 1 ? [{ path: name, reason: 'is given twice' }] : []
  })
  const checked = schema && checkSchema(schema, Object.fromEntries(search))
  if (errors.length === 0 && checked?.ok !== false) return checked?.value ?? {}
  const known = new Set(errors.map(({ path }) => path))
  const more = checked?.ok === false ? errorsOf(checked.findings).filter(({ path }) => !known.has(path)) : []
  throw new ApiProblem('invalid-request', { errors: [...errors, ...more] })
}

/** The body's members. @throws ApiProblem */
export function readContent({ body: schema }: Operation, value: unknown): unknown {
  if (!schema) {
    if (isDeepStrictEqual(value, {})) return undefined
    throw new ApiProblem('invalid-content', { errors: [{ path: '', reason: 'takes no content' }] })
  }
  const checked = checkSchema(schema, value)
  if (checked.ok) return checked.value
  throw new ApiProblem('invalid-content', { errors: errorsOf(checked.findings) })
}

/** A version as `ETag` has it. */
export function formatETag(version: Date | number): string {
  return `"${Number(version).toString(36)}"`
}

/** The version that `If-Match` names. @throws ApiProblem: 428 without one; 412 for what is none of ours */
export function readIfMatch({ ifMatch }: Operation, headers: Headers): number {
  const given = headers.get('If-Match')
  if (!ifMatch) return 0
  if (given === null) throw new ApiProblem('version-required')
  const written = /^"([0-9a-z]{1,10})"$/.exec(given.trim())?.[1]
  if (written === undefined) throw new ApiProblem('stale')
  return Number.parseInt(written, 36)
}
