import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { authorizationServer, interfaceUrl } from '#lib/brands/addresses.ts'
import { isTokenAlgorithm, type JsonObject } from '#lib/identity/token-format.ts'
import { isSignedByAny } from '#lib/identity/token-signature.ts'
import { tokenTypes } from '#lib/identity/token-types.ts'
import { readKnownToken } from '#lib/identity/verified-tokens.ts'
import { findVerificationKey } from '#lib/keys/published-keys.ts'
import { getSigner, type Signer } from '#lib/keys/signer.ts'
import { nowInSeconds } from '#lib/platform/clock.ts'
import { isStorable } from '#lib/platform/text.ts'

/** The longest a delegation token lives, in seconds (§5.4). */
const LIFETIME = 3600

/** What the database takes for a time, in seconds since 1970: the year 9999. */
const LATEST = 253_402_300_799

const claimText = z.string().min(1).max(2048).refine(isStorable)

const claimsSchema = z.object({
  sub: claimText,
  scope: z.string(),
  grant_id: claimText,
  jti: claimText,
  iat: z.number().min(0).max(LATEST),
  exp: z.number().min(0).max(LATEST),
})

/** What a delegation token says (§5.4), once its signature and claims have been verified. */
export type DelegationFacts = {
  /** The User's id at the Brand. */
  brandUserId: string
  scopes: string[]
  grantId: string
  /** `iat`, in seconds. */
  issuedAt: number
  /** `exp`, in seconds. */
  expiresAt: number
  /** Of the Brand's key that signed it. */
  kid: string
}

/**
 * Signs a delegation token (§5.4, RFC 9068 §2) with the Brand's active key.
 *
 * @param options.signer the Brand's active key; left out: it is looked up
 * @param options.clientId the personal agent's issuer
 * @param options.issuedAt `iat` in whole seconds, as the statement that issues the token fixed it; left out: the clock's
 * @param options.endsAt the grant's end in seconds: the token lives no longer
 * @returns the token, and the seconds that it lives
 */
export async function signDelegationToken(options: {
  signer?: Signer
  brandId: string
  brandUserId: string
  clientId: string
  scopes: readonly string[]
  grantId: string
  issuedAt?: number
  endsAt?: number
}): Promise<{ token: string; expiresIn: number }> {
  const { brandId, clientId, grantId, issuedAt = nowInSeconds(), endsAt = Number.POSITIVE_INFINITY } = options
  const { kid, alg, privateKey } = options.signer ?? (await getSigner(brandId))
  const expiresIn = Math.max(0, Math.min(LIFETIME, Math.floor(endsAt) - issuedAt))
  const token = await new SignJWT({
    iss: authorizationServer(brandId).issuer,
    aud: interfaceUrl(brandId),
    sub: options.brandUserId,
    client_id: clientId,
    scope: options.scopes.join(' '),
    grant_id: grantId,
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + expiresIn,
  })
    .setProtectedHeader({ alg, kid, typ: tokenTypes.delegation })
    .sign(privateKey)
  return { token, expiresIn }
}

/** The `kid` of a header that a delegation token can have: our algorithms, our `typ`, nothing critical (RFC 8725 §3). */
function readKid({ alg, typ, kid, crit }: JsonObject): string | undefined {
  if (!isTokenAlgorithm(alg) || crit !== undefined || typeof typ !== 'string') return undefined
  if (typ.toLowerCase().replace(/^application\//, '') !== tokenTypes.delegation) return undefined
  return typeof kid === 'string' ? kid : undefined
}

function readFacts(
  claims: JsonObject,
  brandId: string,
  clientId: string,
): Omit<DelegationFacts, 'kid'> | undefined {
  if (claims.iss !== authorizationServer(brandId).issuer || claims.aud !== interfaceUrl(brandId)) {
    return undefined
  }
  if (claims.client_id !== clientId) return undefined
  const { success, data } = claimsSchema.safeParse(claims)
  if (!success) return undefined
  const scopes = data.scope.split(' ').filter((scope) => scope !== '')
  return { brandUserId: data.sub, scopes, grantId: data.grant_id, issuedAt: data.iat, expiresAt: data.exp }
}

/**
 * Verifies a delegation token (§5.5): form, header, `iss`, `aud`, `client_id`, the other claims' shapes, then the signature
 * by one of the Brand's published keys. Whether it has expired and whether its grant still counts is not checked here:
 * the database says both.
 *
 * @param clientId the issuer of the personal agent that sent it
 * @returns undefined for every fault, whatever was sent
 */
export async function verifyDelegationToken(
  token: string,
  brandId: string,
  clientId: string,
): Promise<DelegationFacts | undefined> {
  const known = readKnownToken(token)
  const kid = known && readKid(known.header)
  const facts = known && readFacts(known.claims, brandId, clientId)
  if (!known || kid === undefined || !facts) return undefined
  const key = await findVerificationKey(brandId, kid)
  return key && (await isSignedByAny(known, [key])) ? { ...facts, kid } : undefined
}
