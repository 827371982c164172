import { isMap } from '#lib/platform/json-map.ts'
import type { RefusalReason } from './caller.ts'
import { isOtherKind } from './token-types.ts'

/** §3.2: the algorithms that a personal agent may sign with. */
export type TokenAlgorithm = 'ES256' | 'RS256'

export type JsonObject = Readonly<Record<string, unknown>>

export type DecodedToken = { header: JsonObject; claims: JsonObject }

// Fatal: two different byte strings must never become the same `sub`.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodePart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')))
    return isMap(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Decodes a token's header and claims. Nothing in them is verified.
 *
 * @param token in the shape of a compact JWS: three base64url parts
 * @returns undefined when either is not a JSON object in UTF-8
 */
export function decodeToken(token: string): DecodedToken | undefined {
  const headerEnd = token.indexOf('.')
  const header = decodePart(token.slice(0, headerEnd))
  const claims = decodePart(token.slice(headerEnd + 1, token.indexOf('.', headerEnd + 1)))
  return header && claims ? { header, claims } : undefined
}

/** §3.2: narrows `alg` to the two that are allowed. */
export function isTokenAlgorithm(alg: unknown): alg is TokenAlgorithm {
  return alg === 'ES256' || alg === 'RS256'
}

function isPersonalAgentType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && !isOtherKind(typ)
}

/** One rule on the JOSE header. */
export type HeaderCheck = {
  rule: 'alg' | 'crit' | 'kid' | 'typ'
  find(header: JsonObject): RefusalReason | undefined
}

/**
 * The rules on the JOSE header (§3.2; RFC 7515 §4.1), in order. Keys that the header brings along (`jwk`, `jku`, `x5c`,
 * `x5u`) are never looked at: the registered JWKS alone counts.
 */
export const headerChecks: readonly HeaderCheck[] = [
  { rule: 'alg', find: ({ alg }) => (isTokenAlgorithm(alg) ? undefined : 'algorithm') },
  { rule: 'crit', find: ({ crit }) => (crit === undefined ? undefined : 'critical_header') },
  {
    rule: 'kid',
    find: ({ kid }) => (kid === undefined || typeof kid === 'string' ? undefined : 'malformed'),
  },
  { rule: 'typ', find: ({ typ }) => (isPersonalAgentType(typ) ? undefined : 'token_type') },
]

/**
 * Checks a personal-agent JWT's JOSE header by {@link headerChecks}.
 *
 * @returns the first fault, or undefined
 */
export function findHeaderFault(header: JsonObject): RefusalReason | undefined {
  for (const { find } of headerChecks) {
    const fault = find(header)
    if (fault) return fault
  }
  return undefined
}
