import { now } from '#lib/platform/clock.ts'
import { readBearerToken } from './bearer.ts'
import type { RefusalReason } from './caller.ts'
import { type Discovered, discoverIssuer } from './discover.ts'
import { findVerificationKeys, type KeySource } from './jwks.ts'
import { findMove, lookForMove } from './rediscover.ts'
import type { PersonalAgent } from './registry.ts'
import { type ClaimRule, claimChecks, readIssuer } from './token-claims.ts'
import { type HeaderCheck, headerChecks, isTokenAlgorithm, type JsonObject } from './token-format.ts'
import { isSignedByAny } from './token-signature.ts'
import { type KnownToken, readKnownToken } from './verified-tokens.ts'

/** What the Provider knows of itself and of personal agents (§3.1). A database failure rejects. */
export type IdentityRegistry = {
  findProvider: () => Promise<{ audience: string; trust: 'allowlist' | 'open' } | undefined>
  findPersonalAgent: (issuer: string) => Promise<PersonalAgent | undefined>
  /** Resolves to undefined when too many strangers were recorded just before. */
  recordDiscovered: (found: Discovered) => Promise<PersonalAgent | undefined>
}

/** What is known of a request's token. Each check fills in what later ones need; until then it holds nothing that passes. */
export type TokenFacts = {
  readonly authorization: string | null
  readonly registry: IdentityRegistry
  token: string
  /** Undefined until it is decoded. */
  known: KnownToken | undefined
  header: JsonObject
  claims: JsonObject
  issuer: string
  audience: string
  /** Seconds since 1970, fractions included. */
  now: number
  trust: 'allowlist' | 'open'
  personalAgent: PersonalAgent | undefined
  /**
   * Under the open trust policy, what the issuer says of itself and the registry does not have: nobody registered it, or the
   * keys of a discovered one have moved.
   */
  discovered: Discovered | undefined
  /** Those that may have signed it. */
  keys: CryptoKey[]
}

export type TokenRule =
  | 'form'
  | 'encoding'
  | HeaderCheck['rule']
  | 'iss'
  | 'provisioned'
  | ClaimRule
  | 'issuer'
  | 'enabled'
  | 'jwks'
  | 'key'
  | 'signature'

/** One rule on a token. Those of `needs` must hold before it makes sense. */
export type TokenCheck = {
  rule: TokenRule
  needs: readonly TokenRule[]
  find(facts: TokenFacts): RefusalReason | undefined | Promise<RefusalReason | undefined>
}

/** @param authorization the `Authorization` header's value, null when absent */
export function newTokenFacts(authorization: string | null, registry: IdentityRegistry): TokenFacts {
  return {
    authorization,
    registry,
    token: '',
    known: undefined,
    header: {},
    claims: {},
    issuer: '',
    audience: '',
    now: 0,
    trust: 'allowlist',
    personalAgent: undefined,
    discovered: undefined,
    keys: [],
  }
}

function readToken(facts: TokenFacts): RefusalReason | undefined {
  const bearer = readBearerToken(facts.authorization)
  if (!bearer.ok) return bearer.reason
  facts.token = bearer.token
  return undefined
}

function decode(facts: TokenFacts): RefusalReason | undefined {
  const known = readKnownToken(facts.token)
  if (!known) return 'malformed'
  facts.known = known
  facts.header = known.header
  facts.claims = known.claims
  return undefined
}

function readIss(facts: TokenFacts): RefusalReason | undefined {
  const issuer = readIssuer(facts.claims)
  if (issuer === undefined) return 'malformed'
  facts.issuer = issuer
  return undefined
}

async function readProvider(facts: TokenFacts): Promise<RefusalReason | undefined> {
  const provider = await facts.registry.findProvider()
  if (!provider) return 'not_provisioned'
  facts.audience = provider.audience
  facts.now = now() / 1000
  facts.trust = provider.trust
  return undefined
}

/** §3.1: of a personal agent that nobody registered, the issuer alone knows where the keys are. */
function isDiscovered(facts: TokenFacts): facts is TokenFacts & { personalAgent: PersonalAgent } {
  return facts.trust === 'open' && facts.personalAgent?.origin === 'discovered'
}

/** §3.1: registered; or, under the open trust policy, found through its OpenID configuration. */
async function lookUpIssuer(facts: TokenFacts): Promise<RefusalReason | undefined> {
  facts.personalAgent = await facts.registry.findPersonalAgent(facts.issuer)
  if (isDiscovered(facts)) facts.discovered = findMove(facts.personalAgent)
  if (facts.personalAgent) return undefined
  if (facts.trust !== 'open') return 'unknown_issuer'
  const discovery = await discoverIssuer(facts.issuer)
  if ('fault' in discovery) return discovery.fault
  facts.discovered = discovery
  return undefined
}

/** Where the keys of the token's issuer are; undefined while it has not been looked up. */
export function keySourceOf({ personalAgent, discovered }: TokenFacts): KeySource | undefined {
  if (personalAgent) return { id: personalAgent.id, jwksUri: (discovered ?? personalAgent).jwksUri }
  return discovered && { id: discovered.issuer, jwksUri: discovered.jwksUri, unproven: true }
}

/** @returns true when the issuer of a discovered one says that the keys are elsewhere than where they were looked for */
async function haveKeysMoved(facts: TokenFacts): Promise<boolean> {
  if (!isDiscovered(facts)) return false
  const before = keySourceOf(facts)?.jwksUri
  facts.discovered = await lookForMove(facts.personalAgent)
  return keySourceOf(facts)?.jwksUri !== before
}

async function findKeys(facts: TokenFacts): Promise<RefusalReason | undefined> {
  const reason = await findKeysAtSource(facts)
  if (!reason && facts.keys.length > 0) return undefined
  return (await haveKeysMoved(facts)) ? findKeysAtSource(facts) : reason
}

async function findKeysAtSource(facts: TokenFacts): Promise<RefusalReason | undefined> {
  const source = keySourceOf(facts)
  const { alg, kid } = facts.header
  if (!source || !isTokenAlgorithm(alg)) return 'unknown_key'
  const found = await findVerificationKeys(source, typeof kid === 'string' ? { alg, kid } : { alg })
  if ('fault' in found) return found.fault
  facts.keys = found.keys
  return undefined
}

async function isSigned({ known, keys }: TokenFacts): Promise<boolean> {
  return known !== undefined && isSignedByAny(known, keys)
}

async function verifySignature(facts: TokenFacts): Promise<RefusalReason | undefined> {
  if (await isSigned(facts)) return undefined
  if (!(await haveKeysMoved(facts)) || (await findKeysAtSource(facts))) return 'signature'
  return (await isSigned(facts)) ? undefined : 'signature'
}

/**
 * The rules on a personal-agent JWT (§3.2), in the order in which they apply: form, header, claims, issuer, then the
 * signature, which costs most. The claims stand before the issuer: a token that is refused anyway costs no query. Replay is
 * not looked for (§3.2, `jti`). None of them records anything.
 */
export const tokenChecks: readonly TokenCheck[] = [
  { rule: 'form', needs: [], find: readToken },
  { rule: 'encoding', needs: ['form'], find: decode },
  ...headerChecks.map(
    ({ rule, find }): TokenCheck => ({ rule, needs: ['encoding'], find: ({ header }) => find(header) }),
  ),
  { rule: 'iss', needs: ['encoding'], find: readIss },
  { rule: 'provisioned', needs: [], find: readProvider },
  ...claimChecks.map(
    ({ rule, needs, find }): TokenCheck => ({
      rule,
      needs: ['encoding', 'provisioned', ...needs],
      find: (facts) => find(facts.claims, facts),
    }),
  ),
  { rule: 'issuer', needs: ['iss', 'provisioned'], find: lookUpIssuer },
  {
    rule: 'enabled',
    needs: ['issuer'],
    find: ({ personalAgent }) => (personalAgent?.enabled === false ? 'disabled' : undefined),
  },
  { rule: 'jwks', needs: ['alg', 'kid', 'issuer'], find: findKeys },
  { rule: 'key', needs: ['jwks'], find: ({ keys }) => (keys.length > 0 ? undefined : 'unknown_key') },
  { rule: 'signature', needs: ['key'], find: verifySignature },
]
