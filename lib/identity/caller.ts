import type { PersonalAgent } from './registry.ts'

/** §3.2: the User as PACT knows it, the pair (personal agent, `sub`). It says nothing about a Brand account (§3.3). */
export type Caller = {
  personalAgent: PersonalAgent
  /** The personal agent's `sub`: 1 to 255 characters that the database can hold. */
  subject: string
}

/** Every reason to answer 401 (§3.4). For the log and the console, never for the caller. */
export const refusalReasons = [
  /** No `Authorization: Bearer`. */
  'no_token',
  /** Not one compact JWS with JSON objects inside, or without a usable `iss`. */
  'malformed',
  'algorithm',
  /** A `crit` header. */
  'critical_header',
  /** `typ` says that it is another kind of JWT. */
  'token_type',
  /** No provision file has been applied yet. */
  'not_provisioned',
  'unknown_issuer',
  /** Open trust policy: the issuer has no usable OpenID configuration. */
  'discovery_failed',
  /** Open trust policy: too many look-ups are running. */
  'discovery_busy',
  'disabled',
  'audience',
  /** `iat` is absent or not a number. */
  'issued_at',
  'issued_in_future',
  /** `exp` is absent or not a number. */
  'expiry',
  'expired',
  /** `exp` is more than 300 s after `iat`, or not after it. */
  'lifetime',
  /** `nbf` is not a number or lies in the future. */
  'not_yet_valid',
  'subject',
  'jwks_unreachable',
  'jwks_invalid',
  'unknown_key',
  'signature',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

/** What became of a request's credentials. */
export type Authentication =
  | { ok: true; caller: Caller }
  /** `issuer`: what the token says, unproven, where no personal agent was recognised by it. */
  | { ok: false; reason: RefusalReason; personalAgentId?: string; issuer?: string }
