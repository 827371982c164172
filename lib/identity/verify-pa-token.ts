import type { Authentication, RefusalReason } from './caller.ts'
import { findPersonalAgent, findProvider, type PersonalAgent, recordDiscovered } from './registry.ts'
import { type IdentityRegistry, newTokenFacts, type TokenFacts, tokenChecks } from './token-checks.ts'
import { readIssuer } from './token-claims.ts'
import type { JsonObject } from './token-format.ts'

export type { IdentityRegistry } from './token-checks.ts'

/** The Provider's own registry. */
export const databaseRegistry: IdentityRegistry = { findProvider, findPersonalAgent, recordDiscovered }

function refuse(reason: RefusalReason, { personalAgent, claims }: TokenFacts): Authentication {
  if (personalAgent) return { ok: false, reason, personalAgentId: personalAgent.id }
  const issuer = readIssuer(claims)
  return issuer === undefined ? { ok: false, reason } : { ok: false, reason, issuer }
}

function accept(personalAgent: PersonalAgent, claims: JsonObject): Authentication {
  return { ok: true, caller: { personalAgent, subject: String(claims.sub) } }
}

/** §3.1, open trust policy: what an issuer says of itself is recorded once a token of its own has verified in full. */
async function admit(facts: TokenFacts): Promise<Authentication> {
  const { discovered, claims, registry } = facts
  if (!discovered)
    return facts.personalAgent ? accept(facts.personalAgent, claims) : refuse('unknown_issuer', facts)
  const { issuer, jwksUri, name } = discovered
  // One whose keys have moved was let in before: where that can't be recorded now, it is the next time.
  const personalAgent = (await registry.recordDiscovered({ issuer, jwksUri, name })) ?? facts.personalAgent
  if (!personalAgent) return refuse('discovery_busy', facts)
  if (personalAgent.enabled) return accept(personalAgent, claims)
  return refuse('disabled', { ...facts, personalAgent })
}

/**
 * Verifies a request's personal-agent JWT (§3.2) by {@link tokenChecks}, up to the first that fails.
 *
 * @param authorization the `Authorization` header's value, null when absent
 * @param registry where the Provider and its personal agents are found
 * @returns the caller, or the reason to refuse; never rejects for what the caller sent, only when the registry fails
 */
export async function verifyPaToken(
  authorization: string | null,
  registry: IdentityRegistry,
): Promise<Authentication> {
  const facts = newTokenFacts(authorization, registry)
  for (const { find } of tokenChecks) {
    const found = find(facts)
    // Most checks answer at once: waiting for those would cost a turn of the event loop's queue each.
    const reason = typeof found === 'object' ? await found : found
    if (reason) return refuse(reason, facts)
  }
  return admit(facts)
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
