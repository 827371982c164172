import type { JWK } from 'jose'

/** What the floor can't look up: it knows one personal agent and its key, two Brands, and what the second one needs. */
export type FloorFacts = {
  jwk: JWK
  issuer: string
  personalAgentId: string
  /** The origin of the Brand's API. */
  api: string
  /** The second Brand's key. Undefined: nothing of §5 is measured. */
  delegationJwk: JWK | undefined
}
