import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { CompactSign, importJWK, type JWK } from 'jose'
import type { PersonalAgent } from './environment.ts'

/** Claims of any shape: tests of §3.2 need wrong ones. `undefined` leaves a claim out. */
export type Claims = Record<string, unknown>

export type TokenChanges = {
  claims?: Claims
  /** Protected header fields; `undefined` leaves one out. */
  header?: Record<string, string | undefined>
  /** Signs with this key in place of the personal agent's own. */
  key?: KeyObject | Uint8Array
}

/** A `sub` that no other run uses: opaque, as §3.2 wants it. */
export function newSubject(): string {
  return `user-${randomUUID()}`
}

export function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function headerOf(jwk: JWK, changes: TokenChanges['header']) {
  const header: Record<string, string | undefined> = { alg: jwk.alg, typ: 'JWT', kid: jwk.kid, ...changes }
  return { ...header, alg: header.alg ?? 'none' }
}

/**
 * Signs personal-agent JWTs (§3.2) for one personal agent and one Provider.
 *
 * @param now the Provider's idea of the time, in whole seconds since 1970
 */
export function tokenSigner(agent: PersonalAgent, audience: string, now: () => number) {
  const claimsOf = (claims: Claims = {}): Claims => {
    const issuedAt = now()
    return {
      iss: agent.issuer,
      sub: 'user-of-the-conformance-suite',
      aud: audience,
      iat: issuedAt,
      exp: issuedAt + 120,
      ...claims,
    }
  }
  return {
    /** A valid token, except for the changes asked for. */
    async sign(changes: TokenChanges = {}): Promise<string> {
      const payload = new TextEncoder().encode(JSON.stringify(claimsOf(changes.claims)))
      const key = changes.key ?? (await importJWK(agent.privateJwk, agent.privateJwk.alg))
      const header = headerOf(agent.privateJwk, changes.header)
      return new CompactSign(payload).setProtectedHeader(header).sign(key)
    },
    /** RFC 7515 appendix A.5: an unsecured JWS. */
    unsecured(signature = ''): string {
      const header = headerOf(agent.privateJwk, { alg: 'none' })
      return `${base64url(header)}.${base64url(claimsOf())}.${signature}`
    },
  }
}

export type TokenSigner = ReturnType<typeof tokenSigner>

/** A new key of the same type as `jwk`: right in form, unknown to everyone. */
export function strangersKey(jwk: JWK): KeyObject {
  return jwk.kty === 'RSA'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}
