import type { Action } from '#lib/agents/agent.ts'

/** What a receipt says (§5.6): as whom, for whom and with which permission a reply was made, and what was done for it. */
export type ReceiptClaims = {
  grantId: string
  /** The User's id at the Brand. */
  user: string
  /** The personal agent's issuer. */
  pa: string
  /** The Brand's interface URL. */
  brand: string
  scopesUsed: readonly string[]
  actions: readonly Action[]
  /** RFC 3339, whole seconds. */
  ts: string
}

/** A receipt as it goes into a reply's `metadata`: `jws` is the compact JWS of exactly `claims`. */
export type Receipt = { jws: string; claims: ReceiptClaims }

/** The claims without what would let somebody who may not read the texts try out which arguments a hash belongs to. */
export function withoutArguments(claims: ReceiptClaims): ReceiptClaims {
  return { ...claims, actions: claims.actions.map(({ tool }) => ({ tool })) }
}

/** A receipt that was stored as its JWS: the claims are those that were signed, to the byte. It is not verified. */
export function readStoredReceipt(jws: string): Receipt {
  const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
  return { jws, claims: JSON.parse(payload) }
}
