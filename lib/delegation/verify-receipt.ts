import { isDeepStrictEqual } from 'node:util'
import { compactVerify, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { decodeToken, isTokenAlgorithm, type JsonObject } from '#lib/identity/token-format.ts'
import { tokenTypes } from '#lib/identity/token-types.ts'

const text = z.string().min(1)

/** §5.6: the members that a receipt's claims have. Others may stand beside them. */
export const receiptClaimsSchema = z.looseObject({
  grantId: text,
  user: text,
  pa: text,
  brand: text,
  scopesUsed: z.array(text),
  actions: z.array(z.looseObject({ tool: text, argsHash: text.optional() })),
  ts: z.iso.datetime({ offset: true }),
})

export type VerifiedClaims = z.infer<typeof receiptClaimsSchema>

/** A receipt that somebody holds: the JWS, and the claims that were shown beside it, if any were. */
export type HeldReceipt = { jws: string; claims: unknown }

/** What a receipt says of itself: whose keys to ask. Nothing of it is verified. */
export type ReadReceipt = { alg: 'ES256' | 'RS256'; kid: string | undefined; claims: VerifiedClaims }

type Read = { ok: true; receipt: ReadReceipt } | { ok: false; fault: string }

function findHeaderFault({ alg, typ, crit, kid }: JsonObject): string | undefined {
  if (!isTokenAlgorithm(alg)) return `it is signed with ${String(alg)}, not with ES256 or RS256`
  if (crit !== undefined) return 'it has a critical header, which no receipt has'
  if (kid !== undefined && typeof kid !== 'string') return 'its kid is not text'
  const kind = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined
  if (kind !== tokenTypes.receipt) return `its typ is ${String(typ)}, not ${tokenTypes.receipt}`
  return undefined
}

/** Reads a receipt (§5.6): its form, its kind, and that the claims beside it are those that were signed. */
export function readReceipt({ jws, claims }: HeldReceipt): Read {
  const fault = (text: string): Read => ({ ok: false, fault: text })
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws)) return fault('it is not a compact JWS')
  const decoded = decodeToken(jws)
  if (!decoded) return fault('its header or its claims are not JSON objects')
  const { header } = decoded
  const headerFault = findHeaderFault(header)
  if (headerFault) return fault(headerFault)
  const parsed = receiptClaimsSchema.safeParse(decoded.claims)
  if (!parsed.success)
    return fault(`its claims are not a receipt's: ${parsed.error.issues[0]?.path.join('.')}`)
  if (claims !== undefined && !isDeepStrictEqual(claims, decoded.claims)) {
    return fault('the claims beside the JWS are not those that were signed')
  }
  const alg = header.alg === 'RS256' ? 'RS256' : 'ES256'
  const kid = typeof header.kid === 'string' ? header.kid : undefined
  return { ok: true, receipt: { alg, kid, claims: parsed.data } }
}

async function isSignedBy(jws: string, alg: string, jwk: JWK): Promise<boolean> {
  try {
    await compactVerify(jws, await importJWK(jwk, alg), { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

function suits(jwk: JWK, { alg, kid }: ReadReceipt): boolean {
  const kty = alg === 'RS256' ? 'RSA' : 'EC'
  return jwk.kty === kty && (kid === undefined || jwk.kid === kid)
}

/**
 * Verifies a receipt's signature (§5.6) by the keys of a JWKS.
 *
 * @param keys the JWKS's, in any order
 * @returns what is wrong; undefined when one of the keys signed it
 */
export async function findSignatureFault(
  jws: string,
  receipt: ReadReceipt,
  keys: readonly JWK[],
): Promise<string | undefined> {
  const candidates = keys.filter((jwk) => suits(jwk, receipt))
  if (candidates.length === 0) return `there is no key ${receipt.kid ?? `for ${receipt.alg}`} in the JWKS`
  for (const jwk of candidates) if (await isSignedBy(jws, receipt.alg, jwk)) return undefined
  return 'the signature is wrong: it was changed, or somebody else signed it'
}
