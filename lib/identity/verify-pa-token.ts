import { now } from '#lib/platform/clock.ts'
import { readBearerToken } from './bearer.ts'
import type { Authentication, RefusalReason } from './caller.ts'
import { type Discovered, discoverIssuer } from './discover.ts'
import { findVerificationKeys, type KeySource } from './jwks.ts'
import { findPersonalAgent, findProvider, type PersonalAgent, recordDiscovered } from './registry.ts'
import { findClaimFault, readIssuer } from './token-claims.ts'
import {
  type DecodedToken,
  decodeToken,
  findHeaderFault,
  isTokenAlgorithm,
  type JsonObject,
} from './token-format.ts'
import { isSignedBy } from './token-signature.ts'

/** What the Provider knows of itself and of personal agents (§3.1). A database failure rejects. */
export type IdentityRegistry = {
  findProvider: () => Promise<{ audience: string; trust: 'allowlist' | 'open' } | undefined>
  findPersonalAgent: (issuer: string) => Promise<PersonalAgent | undefined>
  /** Resolves to undefined when too many strangers were recorded just before. */
  recordDiscovered: (found: Discovered) => Promise<PersonalAgent | undefined>
}

const databaseRegistry: IdentityRegistry = { findProvider, findPersonalAgent, recordDiscovered }

/** A token whose form and header are right. Its claims and signature are not verified. */
type Candidate = DecodedToken & { token: string; issuer: string }

function refuse(reason: RefusalReason, personalAgentId?: string): Authentication {
  return personalAgentId === undefined ? { ok: false, reason } : { ok: false, reason, personalAgentId }
}

function accept(personalAgent: PersonalAgent, claims: JsonObject): Authentication {
  return { ok: true, caller: { personalAgent, subject: String(claims.sub) } }
}

function readCandidate(
  authorization: string | null,
): { ok: true; candidate: Candidate } | { ok: false; reason: RefusalReason } {
  const bearer = readBearerToken(authorization)
  if (!bearer.ok) return bearer
  const decoded = decodeToken(bearer.token)
  if (!decoded) return { ok: false, reason: 'malformed' }
  const headerFault = findHeaderFault(decoded.header)
  if (headerFault) return { ok: false, reason: headerFault }
  const issuer = readIssuer(decoded.claims)
  if (issuer === undefined) return { ok: false, reason: 'malformed' }
  return { ok: true, candidate: { ...decoded, token: bearer.token, issuer } }
}

async function findSignatureFault(
  { token, header }: Candidate,
  source: KeySource,
): Promise<RefusalReason | undefined> {
  const { alg, kid } = header
  if (!isTokenAlgorithm(alg)) return 'algorithm'
  const found = await findVerificationKeys(source, typeof kid === 'string' ? { alg, kid } : { alg })
  if ('fault' in found) return found.fault
  if (found.keys.length === 0) return 'unknown_key'
  for (const key of found.keys) if (await isSignedBy(token, key)) return undefined
  return 'signature'
}

/** §3.1, open trust policy: an issuer that nobody registered is recorded once a token of its own has verified in full. */
async function verifyNewcomer(candidate: Candidate, registry: IdentityRegistry): Promise<Authentication> {
  const discovery = await discoverIssuer(candidate.issuer)
  if ('fault' in discovery) return refuse(discovery.fault)
  const fault = await findSignatureFault(candidate, { ...discovery, id: discovery.issuer, unproven: true })
  if (fault) return refuse(fault)
  const { issuer, jwksUri, name } = discovery
  const personalAgent = await registry.recordDiscovered({ issuer, jwksUri, name })
  if (!personalAgent) return refuse('discovery_busy')
  return personalAgent.enabled
    ? accept(personalAgent, candidate.claims)
    : refuse('disabled', personalAgent.id)
}

/**
 * Verifies a request's personal-agent JWT (§3.2): form, header, claims, issuer, then the signature, which costs most.
 * Replay of a token is not looked for (§3.2, `jti`).
 *
 * @param authorization the `Authorization` header's value, null when absent
 * @param registry where the Provider and its personal agents are found
 * @returns the caller, or the reason to refuse; never rejects for what the caller sent, only when the registry fails
 */
export async function verifyPaToken(
  authorization: string | null,
  registry: IdentityRegistry,
): Promise<Authentication> {
  const read = readCandidate(authorization)
  if (!read.ok) return read
  const { candidate } = read
  const provider = await registry.findProvider()
  if (!provider) return refuse('not_provisioned')
  // Before the issuer is looked up: a token that is refused anyway costs no query.
  const claimFault = findClaimFault(candidate.claims, provider.audience, now() / 1000)
  if (claimFault) return refuse(claimFault)
  const personalAgent = await registry.findPersonalAgent(candidate.issuer)
  if (personalAgent && !personalAgent.enabled) return refuse('disabled', personalAgent.id)
  if (!personalAgent && provider.trust !== 'open') return refuse('unknown_issuer')
  if (!personalAgent) return verifyNewcomer(candidate, registry)
  const fault = await findSignatureFault(candidate, personalAgent)
  return fault ? refuse(fault, personalAgent.id) : accept(personalAgent, candidate.claims)
}

/**
 * Says who is calling (§3): `verifyPaToken` on the Provider's own registry.
 *
 * @param authorization the `Authorization` header's value, null when absent
 * @returns the caller, or the reason to answer 401 (§3.4), which the caller must never learn
 */
export function authenticate(authorization: string | null): Promise<Authentication> {
  return verifyPaToken(authorization, databaseRegistry)
}
