import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Identity } from './key-store.ts'
import type { Asker } from './problem.ts'

/** How long a token lives, in seconds; §3.2 allows 300. */
const LIFETIME = 120

/** A personal-agent JWT (§3.2) for one request. */
export async function signToken(identity: Identity, { issuer, audience }: Asker): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: identity.publicJwk.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(identity.subject)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME)
    .setJti(randomUUID())
    .sign(identity.privateKey)
}
