import type { JWK } from 'jose'

/** The checks of a receipt, in their order. */
export const checks = ['kind', 'key', 'signature', 'claims'] as const
export type Check = (typeof checks)[number]

/** How far the checks got: all before `failed` passed. */
export type Verification = { state: 'valid' } | { state: 'invalid'; failed: Check } | { state: 'no-keys' }

function suits(jwk: JWK, { alg, kid }: { alg?: string; kid?: string }): boolean {
  return jwk.kty === (alg === 'RS256' ? 'RSA' : 'EC') && (kid === undefined || jwk.kid === kid)
}

async function fetchKeys(jwksUri: string): Promise<JWK[] | undefined> {
  try {
    const response = await fetch(jwksUri, { credentials: 'omit', cache: 'no-store' })
    const { keys } = await response.json()
    return response.ok && Array.isArray(keys) ? keys : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies a receipt (§5.6) where it is read: with the keys as they are published at this moment, not by what a page says.
 *
 * @param shown the claims that are shown beside it, as JSON
 */
export async function verifyInBrowser(jws: string, shown: string, jwksUri: string): Promise<Verification> {
  const [jose, keys] = await Promise.all([import('jose'), fetchKeys(jwksUri)])
  if (!keys) return { state: 'no-keys' }
  let header: ReturnType<typeof jose.decodeProtectedHeader>
  try {
    header = jose.decodeProtectedHeader(jws)
  } catch {
    return { state: 'invalid', failed: 'kind' }
  }
  const isKind = header.typ?.toLowerCase().replace(/^application\//, '') === 'pact-receipt+jws'
  const { alg } = header
  if (!isKind || (alg !== 'ES256' && alg !== 'RS256')) return { state: 'invalid', failed: 'kind' }
  const candidates = keys.filter((jwk) => suits(jwk, header))
  if (candidates.length === 0) return { state: 'invalid', failed: 'key' }
  for (const jwk of candidates) {
    const verified = await jose
      .compactVerify(jws, await jose.importJWK(jwk, alg), { algorithms: [alg] })
      .catch(() => undefined)
    if (!verified) continue
    const signed = new TextDecoder().decode(verified.payload)
    return signed === shown ? { state: 'valid' } : { state: 'invalid', failed: 'claims' }
  }
  return { state: 'invalid', failed: 'signature' }
}
