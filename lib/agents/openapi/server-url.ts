import { isMap } from '#lib/platform/json-map.ts'

export type ServerUrl = { ok: true; url: string } | { ok: false; reason: string }

/** Variables have values by default; a tool always calls the same server. */
function fillIn(url: string, variables: unknown): string {
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = isMap(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined
    return isMap(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
}

/**
 * The address that an operation's path follows on: that of the first server.
 *
 * @param servers as OpenAPI has them; undefined: the place of the document itself
 * @param base where the document was found; a relative address is meant from there
 * @returns without a slash at its end
 */
export function readServer(servers: unknown, base: string | undefined): ServerUrl {
  const [first] = Array.isArray(servers) && servers.length > 0 ? servers : [{ url: '/' }]
  const written = isMap(first) && typeof first.url === 'string' ? fillIn(first.url, first.variables) : ''
  if (/[{}]/.test(written)) return { ok: false, reason: 'has a server whose address has an unknown part' }
  const url = URL.parse(written, base)
  if (!url) return { ok: false, reason: 'has no absolute server address: say where the API is' }
  url.search = ''
  url.hash = ''
  return { ok: true, url: url.href.replace(/\/+$/, '') }
}
