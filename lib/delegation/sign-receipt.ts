import { CompactSign } from 'jose'
import type { Action } from '#lib/agents/agent.ts'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { tokenTypes } from '#lib/identity/token-types.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { now } from '#lib/platform/clock.ts'
import type { Receipt, ReceiptClaims } from './receipts.ts'

/** What is known when a turn has run. */
type ReceiptFacts = {
  brandId: string
  grantId: string
  brandUserId: string
  /** The personal agent's issuer. */
  personalAgentIssuer: string
  scopesUsed: readonly string[]
  actions: readonly Action[]
}

/** What the receipt of a turn that ends now says (§5.6). */
export function buildClaims(facts: ReceiptFacts): ReceiptClaims {
  return {
    grantId: facts.grantId,
    user: facts.brandUserId,
    pa: facts.personalAgentIssuer,
    brand: interfaceUrl(facts.brandId),
    scopesUsed: facts.scopesUsed,
    actions: facts.actions,
    ts: new Date(now()).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  }
}

/**
 * Signs a receipt with the Brand's active key (§5.6). It is not stored here: the statement that settles the turn does that.
 *
 * @throws when the Brand has no key and none can be made, or it can't be opened here
 */
export async function signReceipt(brandId: string, claims: ReceiptClaims): Promise<Receipt> {
  const { kid, alg, privateKey } = await getSigner(brandId)
  const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg, kid, typ: tokenTypes.receipt })
    .sign(privateKey)
  return { jws, claims }
}
