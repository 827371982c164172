import type { Operation } from './operation.ts'

export type Route =
  | { kind: 'operation'; operation: Operation; params: Record<string, string> }
  | { kind: 'method-not-allowed'; allow: readonly string[] }
  | { kind: 'not-found' }

/** The segments of a path that a template's names stand for; undefined when they are not alike. */
function matchPath(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const wanted = template.split('/').slice(1)
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined && part !== segment) return undefined
    if (name !== undefined) params[name] = segment
  }
  return params
}

/** How many of a template's segments are names: what is spelt out goes first. */
const looseness = ({ path }: Operation) => path.split('{').length

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Finds the operation that a request asks for.
 *
 * @param path below `/api/v1`, percent-encoded
 */
export function matchRoute(operations: readonly Operation[], method: string, path: string): Route {
  const segments = path.split('/').slice(1).map(decode)
  const decoded = segments.filter((segment) => segment !== undefined && segment !== '') as string[]
  if (decoded.length !== segments.length) return { kind: 'not-found' }
  const found = operations
    .flatMap((operation) => {
      const params = matchPath(operation.path, decoded)
      return params ? [{ operation, params }] : []
    })
    .sort((one, other) => looseness(one.operation) - looseness(other.operation))
  const [first] = found
  if (!first) return { kind: 'not-found' }
  const here = found.filter(({ operation }) => looseness(operation) === looseness(first.operation))
  // RFC 9110 §9.3.2: HEAD is GET without the content.
  const wanted = method === 'HEAD' ? 'GET' : method
  const match = here.find(({ operation }) => operation.method === wanted)
  if (match) return { kind: 'operation', ...match }
  const methods = here.map(({ operation }) => operation.method)
  return { kind: 'method-not-allowed', allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])] }
}
