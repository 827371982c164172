import { findBrand } from '#lib/brands/registry.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { findPersonalAgent } from '#lib/identity/registry.ts'
import { findVerificationKey } from '#lib/keys/published-keys.ts'
import { type DelegationFacts, verifyDelegationToken } from './delegation-token.ts'
import { findLiveGrant } from './live-grant.ts'
import { keepDefined } from './scopes.ts'

/** How old a look at the grant may be that something is done on, in milliseconds: a revocation acts within a second. */
const FRESH_FOR = 250

/** A delegation token that has been verified, and what it allows from moment to moment. */
export type WatchedToken = {
  facts: DelegationFacts
  /** What it allowed when it was verified. */
  scopes: ReadonlySet<string>
  /**
   * What the token says, the grant still holds and the Brand still defines: less than a second old.
   *
   * @returns undefined once it counts no more: expired, its grant revoked or its own tokens ended, its key compromised, or
   *   the personal agent, the Brand or the Brand's delegation gone; it rejects only when the database fails
   */
  scopesNow(): Promise<ReadonlySet<string> | undefined>
}

/**
 * Verifies a delegation token (§5.5), all of it: what it is, and that its grant is live and belongs to this caller. It can
 * be asked again while a request goes on: a slow body, a place in line and a call of an API all give a User the time to
 * take back what was allowed.
 *
 * @returns undefined: a bad token, whatever is wrong with it
 */
export async function watchToken(
  token: string,
  caller: Caller,
  brandId: string,
): Promise<WatchedToken | undefined> {
  const { personalAgent, subject } = caller
  const facts = await verifyDelegationToken(token, brandId, personalAgent.issuer)
  if (!facts) return undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let held: string[] | undefined

  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    if (askedAt - lookedAt < FRESH_FOR) return
    const grant = await findLiveGrant({ brandId, personalAgentId: personalAgent.id, subject, ...facts })
    held = grant && facts.scopes.filter((scope) => grant.scopes.includes(scope))
    lookedAt = askedAt
  }

  const scopesNow = async (): Promise<ReadonlySet<string> | undefined> => {
    await look()
    if (!held) return undefined
    // These are remembered here, and at their oldest almost a second old: they are asked last, and every time.
    const [sender, brand, key] = await Promise.all([
      findPersonalAgent(personalAgent.issuer),
      findBrand(brandId),
      findVerificationKey(brandId, facts.kid),
    ])
    if (!sender?.enabled || !brand?.delegation || !key) return undefined
    return new Set(keepDefined(held, brand.delegation))
  }
  const scopes = await scopesNow()
  return scopes && { facts, scopes, scopesNow }
}
