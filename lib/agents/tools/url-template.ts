/** A tool's URL: text and variables by turns. Variables stand in the path or the query, each named once. */
export type UrlTemplate = {
  variables: readonly string[]
  /**
   * Fills the variables in, percent-encoded (RFC 6570, level 1).
   *
   * @returns undefined when a value would make the URL another one: a path's variable that is empty, `.` or `..`, or has a
   * slash of either kind
   */
  expand(values: ReadonlyMap<string, string>): string | undefined
}

const VARIABLE = /\{([A-Za-z_][A-Za-z0-9_]{0,63})\}/g

/**
 * Two slashes and a host without variables. `URL` takes fewer slashes, more or other ones, and finds the host behind them:
 * what is not written so might leave the host to a User.
 */
const HAS_FIXED_HOST = /^[a-z]+:\/\/[^/\\?#{}]+(?:[/\\?#]|$)/i

/** RFC 3986 §2.3: only unreserved characters stay as they are. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Servers and proxies differ in when they decode: what would be another path then is refused though it is encoded. */
function staysInPlace(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && !/[/\\]/.test(value)
}

function hasDotSegment(path: string): boolean {
  return path.split('/').some((segment) => segment === '.' || segment === '..')
}

/**
 * Parses a tool's URL template, such as `https://api.example/orders/{number}`.
 *
 * @param source an absolute URL once its variables are filled
 * @returns what is wrong with it, as text for the operator: "must …"
 */
export function parseUrlTemplate(
  source: string,
): { ok: true; template: UrlTemplate } | { ok: false; reason: string } {
  const fault = (reason: string) => ({ ok: false, reason }) as const
  const variables = [...source.matchAll(VARIABLE)].map(([, name = '']) => name)
  if (/[{}]/.test(source.replace(VARIABLE, '')))
    return fault('must have only variables such as {number} in { }')
  if (new Set(variables).size < variables.length) return fault('must name each variable once')
  if (!HAS_FIXED_HOST.test(source)) return fault('must have its variables in the path or the query')
  const queryAt = source.includes('?') ? source.indexOf('?') : source.length
  const path = source.slice(0, queryAt)
  const inPath = new Set([...path.matchAll(VARIABLE)].map(([, name = '']) => name))

  function fill(part: string, values: ReadonlyMap<string, string>): string {
    return part.replaceAll(VARIABLE, (_, name: string) => encode(values.get(name) ?? ''))
  }
  return {
    ok: true,
    template: {
      variables,
      expand(values) {
        for (const name of inPath) if (!staysInPlace(values.get(name) ?? '')) return undefined
        const filled = fill(path, values)
        return hasDotSegment(filled) ? undefined : filled + fill(source.slice(queryAt), values)
      },
    },
  }
}
