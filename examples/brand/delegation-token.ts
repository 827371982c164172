import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url() })
const claimsSchema = z.object({ sub: z.string().min(1), scope: z.string(), client_id: z.string().min(1) })

/** Who acts, and within what. */
export type Access = { accountId: string; scopes: ReadonlySet<string> }

/** Verifies a delegation token. @returns undefined when it is not valid; it rejects while the Provider can't be reached */
export type VerifyToken = (token: string) => Promise<Access | undefined>

const TIME_LIMIT = 3_000

/**
 * A verifier of delegation tokens (§5.4) for one Brand: `typ`, `iss`, `aud`, `exp` and the signature, with the keys that
 * the authorization server's metadata (RFC 8414) names. The metadata is read at the first token.
 *
 * Whether the grant has been revoked since is the Provider's to check, which it does before it calls.
 *
 * @param interfaceUrl the Brand's interface URL at its Provider
 */
export function createTokenVerifier(interfaceUrl: string): VerifyToken {
  const issuer = `${interfaceUrl}/oauth`
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  return async (token) => {
    keys ??= createRemoteJWKSet(await findJwksUri(issuer))
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: interfaceUrl,
        typ: 'at+jwt',
        algorithms: ['ES256', 'RS256'],
        requiredClaims: ['sub', 'scope', 'client_id', 'exp', 'iat'],
      })
      const claims = claimsSchema.safeParse(payload)
      if (!claims.success) return undefined
      return { accountId: claims.data.sub, scopes: new Set(claims.data.scope.split(' ')) }
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) throw error
      return undefined
    }
  }
}

/** RFC 8414 §3: the well-known part stands between host and path, and the document must name the issuer it was asked for. */
async function findJwksUri(issuer: string): Promise<URL> {
  const { origin, pathname } = new URL(issuer)
  const url = `${origin}/.well-known/oauth-authorization-server${pathname}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT) })
  if (!answer.ok) throw new Error(`no metadata at ${url} (status ${answer.status})`)
  const metadata = metadataSchema.parse(await answer.json())
  if (metadata.issuer !== issuer) throw new Error(`the metadata at ${url} is another issuer's`)
  return new URL(metadata.jwks_uri)
}
